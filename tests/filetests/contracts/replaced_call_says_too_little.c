// kripke: check --replace-calls clamp
// verdict: violated
// violates: assertion@21
// The body returns 3; the contract allows more.

#include <assert.h>

static unsigned calls;

static int clamp(int value, int low, int high)
    __CPROVER_requires(low <= high)
    __CPROVER_assigns(calls)
    __CPROVER_ensures(__CPROVER_return_value >= low && __CPROVER_return_value <= high)
{
    calls++;
    return value < low ? low : value > high ? high : value;
}

int main(void)
{
    assert(clamp(3, 0, 10) == 3);
}
