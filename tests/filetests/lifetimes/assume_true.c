// kripke: check
// verdict: holds

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 10)
        return 0;
    __builtin_assume(n > 3);
    assert(n > 3);
    return 0;
}
