// kripke: check
// verdict: holds

#include <assert.h>

void __VERIFIER_loop_invariant(int);
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = 0;
    while (1) {
        unsigned twice = 2 * i;
        __VERIFIER_loop_invariant(twice <= 20);
        assert(i <= 10);
        i = __VERIFIER_nondet_uint() % 11;
    }
}
