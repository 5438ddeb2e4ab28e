// kripke: check --check none
// verdict: holds
// ltl: G({fault} -> G {power == 0})

#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int fault, power = 1;
int main(void)
{
    for (;;) {
        if (__VERIFIER_nondet_int()) {
            power = 0;
            fault = 1;
            exit(1);
        }
        power = 1;
    }
}
