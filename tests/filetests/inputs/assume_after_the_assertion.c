// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    __VERIFIER_assume(x != 7);
    return 0;
}
