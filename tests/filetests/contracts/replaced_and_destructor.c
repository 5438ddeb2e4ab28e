// kripke: check --replace-calls all
// verdict: holds
// A function that returns to its caller does not end the program.

#include <assert.h>
#include <stdlib.h>

static int state;

__attribute__((destructor)) static void at_end(void)
{
    assert(state == 0);
}

static void clear(void)
{
    state = 0;
}

static void begin(void)
    __CPROVER_assigns(state)
    __CPROVER_ensures(state == 1)
{
    state = 1;
}

static void wait(void)
    __CPROVER_requires(state == 1)
{
    assert(state == 1);
}

int main(void)
{
    atexit(clear);
    begin();
    wait();
}
