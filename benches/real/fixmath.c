// libfixmath: FUNCTION on unknown fixed-point numbers has no undefined behaviour.
#include "fix16.h"

int __VERIFIER_nondet_int(void);

int main(void) {
    fix16_t x = __VERIFIER_nondet_int();
#ifdef TWO
    FUNCTION(x, __VERIFIER_nondet_int());
#else
    FUNCTION(x);
#endif
    return 0;
}
