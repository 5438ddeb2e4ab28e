// kripke: check --all --timeout 3s
// verdict: unknown

// The invariant fails so late that nobody sees it: the assertion, which fails later, is not proved with it.

#include <assert.h>

int main(void)
{
    unsigned i = 0;
    for (;;)
        __CPROVER_loop_invariant(i < 4000000)
    {
        assert(i < 4000001);
        i++;
    }
}
