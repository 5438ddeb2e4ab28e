// kripke: check
// verdict: holds

#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i, other = 0;
    __ESBMC_loop_invariant(i <= n);
    __ESBMC_loop_invariant(other == 3 * i);
    for (i = 0; i < n; i++)
        other += 3;
    assert(i == n && other == 3 * n);
}
