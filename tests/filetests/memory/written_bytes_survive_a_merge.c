// kripke: check --check uninitialised
// verdict: holds
//
// The counterpart: what was written on both sides of the merge may be read.
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 256;
    _Bool all = __VERIFIER_nondet_bool();
    unsigned char a[256];
    a[i] = 1;
    if (all)
        memset(a, 0, sizeof a);
    return a[i];
}
