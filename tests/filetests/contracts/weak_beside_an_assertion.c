// kripke: check --all
// verdict: violated
// violates: assertion@16
// violates: loop-invariant@14

// Nothing may be proved with an invariant that is false in the end: `i` comes to 77 after it.

#include <assert.h>

int main(void)
{
    unsigned i = 0;
    for (;;)
        __CPROVER_loop_invariant(i < 40)
    {
        assert(i < 60);
        i++;
    }
}
