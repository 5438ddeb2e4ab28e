// kripke: check --replace-calls set
// verdict: unknown
// prints: a contract in the place of a call with a `pair` that `set` is not checked with

#include <assert.h>

struct pair {
    int first, second;
};

static void set(int *place, struct pair *pair)
    __CPROVER_requires(place && pair)
    __CPROVER_assigns(*place)
    __CPROVER_ensures(pair->first == __CPROVER_old(pair->first))
{
    *place = 7;
}

int main(void)
{
    struct pair pair = {1, 2};
    set(&pair.first, &pair);
    assert(pair.first == 1);
}
