// kripke: check
// verdict: violated
// violates: assertion@15

#include <assert.h>
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
static char a[64], b[64];
int main(void)
{
    unsigned long u = __VERIFIER_nondet_ulong();
    char *p = (char *)(u * 8 - (uintptr_t)&a[0]);
    if ((uintptr_t)p == (uintptr_t)&b[0]) {
        *p = 3;
        assert(b[0] == 0);
    }
    return 0;
}
