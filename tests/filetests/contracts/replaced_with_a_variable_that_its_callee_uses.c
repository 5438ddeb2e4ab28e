// kripke: check --replace-calls set
// verdict: unknown
// prints: a contract in the place of a call with a `place` that `set` is not checked with

#include <assert.h>

static int count;

static int counted(void)
{
    return count;
}

static int set(int *place)
    __CPROVER_requires(place && *place == 0)
    __CPROVER_assigns(*place)
    __CPROVER_ensures(__CPROVER_return_value == 0)
{
    int before = counted();
    *place = 1;
    return counted() != before;
}

int main(void)
{
    assert(set(&count) == 0);
}
