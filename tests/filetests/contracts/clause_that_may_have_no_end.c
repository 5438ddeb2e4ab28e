// kripke: check
// verdict: holds
// prints: evaluating the contracts and invariants of `below_four` comes to an end
// Runs in which the condition has no end never come to the body.

#include <assert.h>

int nondet_int(void);

static int waits(int x)
{
    while (x > 3) {
    }
    return 1;
}

int below_four(int x) __CPROVER_requires(waits(x))
{
    assert(x < 4);
    return x;
}

int main(void)
{
    return below_four(nondet_int());
}
