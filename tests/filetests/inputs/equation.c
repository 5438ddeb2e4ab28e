// kripke: check
// verdict: violated
// violates: assertion@11

#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    assert(3 * x != 1000000000u);
    return 0;
}
