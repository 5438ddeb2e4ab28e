// kripke: check --all
// verdict: violated
// violates: loop-invariant@15

// What holds is proved without the invariant that does not.

#include <assert.h>

int main(void)
{
    unsigned i = 0;
    unsigned phase = 0;
    for (;;)
        __CPROVER_loop_invariant(phase < 4)
        __CPROVER_loop_invariant(i < 10)
    {
        assert(phase < 4);
        i++;
        phase = (phase + 1) & 3;
    }
}
