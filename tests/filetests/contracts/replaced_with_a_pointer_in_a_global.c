// kripke: check --replace-calls put
// verdict: holds

#include <assert.h>

static int *buffer;
static int store, other;

static void put(void)
    __CPROVER_requires(buffer == 0 || buffer == &store)
    __CPROVER_assigns(*buffer)
    __CPROVER_ensures(buffer == 0 || *buffer == 1)
{
    if (buffer)
        *buffer = 1;
}

int main(void)
{
    put();
    buffer = &store;
    put();
    assert(store == 1 && other == 0);
}
