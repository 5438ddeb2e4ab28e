// kripke: check
// verdict: violated
// violates: assertion@14

#include <assert.h>
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void)
{
    uintptr_t x = __VERIFIER_nondet_ulong();
    if (!(char *)x)
        return 0;
    int a;
    assert((uintptr_t)&a != x);
    return 0;
}
