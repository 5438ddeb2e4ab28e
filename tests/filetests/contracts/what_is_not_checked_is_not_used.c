// kripke: check --check default,-loop-invariant
// verdict: violated
// violates: assertion@16

// The invariant is wrong: it may not keep the assertion from failing.

#include <assert.h>

int main(void)
{
    unsigned i = 0;
    while (i < 10)
        __CPROVER_loop_invariant(i < 4)
    {
        i++;
        assert(i < 7);
    }
}
