// kripke: check --replace-calls put
// verdict: violated
// violates: assigns@13
// Another function sets the pointer: that it is null at first says nothing.

#include <assert.h>

static int *buffer;
static int store;

static void put(void) __CPROVER_assigns()
{
    if (buffer) *buffer = 1;
}

int main(void)
{
    buffer = &store;
    put();
    assert(store == 0);
}
