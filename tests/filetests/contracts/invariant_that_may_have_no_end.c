// kripke: check
// verdict: holds
// prints: evaluating the contracts and invariants of `main` comes to an end

#include <assert.h>

unsigned char steps;

int main(void)
{
    for (;;)
        __CPROVER_loop_invariant(({ while (steps == 3) {} 1; }))
    {
        if (steps < 9)
            steps++;
        assert(steps <= 3);
    }
}
