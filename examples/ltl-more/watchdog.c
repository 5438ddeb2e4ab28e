/* A watchdog that must be fed. Feeding goes on while the loop runs; after a fault the program stays in an
   empty loop, on purpose, and feeds no more. So it is not for ever, but it does go on until a fault. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

bool fed = false;
bool fault = false;

int main(void) {
    while (!fault) {
        fed = true;
        fed = false;
        if (__VERIFIER_nondet_bool()) {
            fault = true;
        }
    }
    while (1) {
    }
}
