// kripke: check --replace-calls set
// verdict: unknown
// prints: a contract in the place of a call with a `place` that `set` is not checked with
// The function by itself finds its parameter in no object of the program. The clause names one.

#include <assert.h>

static int count;

static void set(int *place)
    __CPROVER_requires(place)
    __CPROVER_assigns(*place)
    __CPROVER_ensures(count == __CPROVER_old(count))
{
    *place = 1;
}

int main(void)
{
    set(&count);
    assert(count == 0);
}
