// kripke: check --check uninitialised
// verdict: violated
// violates: uninitialised@19
//
// A global starts as zeros, but bytes that nobody wrote can be copied into it, also where it is an array.
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);

static unsigned char all[512];

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 256, j = __VERIFIER_nondet_uint() % 256;
    unsigned char some[256];
    some[i] = 1;
    all[i] = 2;
    memcpy(all + i, some, sizeof some);
    unsigned char *p = &all[j + i];
    return *p;
}
