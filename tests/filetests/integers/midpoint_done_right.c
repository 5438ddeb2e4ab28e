// kripke: check
// verdict: holds

#include <assert.h>
unsigned int nondet_uint(void);
void __VERIFIER_assume(int);

int main(void)
{
    int low = (int)(nondet_uint() / 2), high = (int)(nondet_uint() / 2);
    __VERIFIER_assume(low <= high);
    int middle = low + (high - low) / 2;
    assert(low <= middle && middle <= high);
    return 0;
}
