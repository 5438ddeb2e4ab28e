// kripke: check --check uninitialised
// verdict: violated
// violates: uninitialised@18
//
// One side of the merge knows of all bytes that they were written, the other only of one.
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 256, j = __VERIFIER_nondet_uint() % 256;
    _Bool all = __VERIFIER_nondet_bool();
    unsigned char a[256];
    a[i] = 1;
    if (all)
        memset(a, 0, sizeof a);
    return a[j];
}
