// kripke: check --replace-calls clamp
// verdict: holds
// prints: calls of `clamp` are replaced by its contract; it is checked against that by itself

#include <assert.h>

extern int nondet_int(void);

static unsigned calls;

static int clamp(int value, int low, int high)
    __CPROVER_requires(low <= high)
    __CPROVER_assigns(calls)
    __CPROVER_ensures(__CPROVER_return_value >= low && __CPROVER_return_value <= high)
    __CPROVER_ensures(calls == __CPROVER_old(calls) + 1)
{
    calls++;
    return value < low ? low : value > high ? high : value;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        assert(clamp(nondet_int(), 0, 10) / 11 == 0);
    int (*pointer)(int, int, int) = clamp;
    assert(pointer(nondet_int(), 7, 7) == 7);
    assert(calls == 6);
}
