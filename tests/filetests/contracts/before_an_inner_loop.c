// kripke: check
// verdict: holds

#include <assert.h>

extern void __ESBMC_loop_invariant(_Bool);
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int round = 0; round < 5000; round++) {
        int i;
        __ESBMC_loop_invariant(0 <= i && i <= n && round >= 0 && round < 5000);
        __ESBMC_loop_invariant(i != -1 || n == 3);
        for (i = n - 1 + 1 - n; i < n; i++) { }
        assert(i == n);
    }
}
