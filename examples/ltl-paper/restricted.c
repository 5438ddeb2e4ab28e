/* Section 5.4: letters that cannot occur. After the fault the motor must stay off, and at some time it must
   run. When the fault is first, both ask for a moment with motor == 0 and motor == 1. Who takes the two atoms
   for independent can only presume the violation; who knows that they exclude each other is certain of it. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

bool fault = false;
int motor = 0;

int main(void) {
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            motor = 0;
            fault = true;
        }
        if (!fault) {
            motor = 1;
        }
    }
}
