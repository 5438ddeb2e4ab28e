/* Ways out of a program. A fault ends it by abort() or exit() in the middle of everything; the last letter
   then stays for ever, so the motor must have been switched off before. */
#include <stdbool.h>
#include <stdlib.h>

bool __VERIFIER_nondet_bool(void);

bool motor = false;
bool fault = false;

static void fatal(void) {
    fault = true;
#ifndef SEED_MOTOR_ON
    motor = false;
#endif
    if (__VERIFIER_nondet_bool()) {
        exit(1);
    }
    abort();
}

int main(void) {
    motor = true;
    if (__VERIFIER_nondet_bool()) {
        fatal();
    }
    motor = false;
    return 0;
}
