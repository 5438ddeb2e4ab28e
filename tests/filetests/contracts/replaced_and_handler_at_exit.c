// kripke: check --replace-calls finish
// verdict: unknown
// What other code registered runs where the function ends the program.

#include <assert.h>
#include <stdlib.h>

extern int nondet(void);

static int state;

static void at_end(void)
{
    assert(state == 0);
}

static void finish(int now)
    __CPROVER_assigns(state)
    __CPROVER_ensures(state == 0)
{
    state = 1;
    if (now)
        exit(0);
    state = 0;
}

int main(void)
{
    atexit(at_end);
    finish(nondet());
}
