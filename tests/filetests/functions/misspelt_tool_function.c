// kripke: check
// verdict: unknown
// prints: did you mean `__VERIFIER_assume`?

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_asume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_asume(n > 0);
    assert(n * 0 == 0);
    return 0;
}
