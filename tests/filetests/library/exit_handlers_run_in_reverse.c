// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>

static int order;

static void registered_first(void)
{
    assert(order == 2);
}

static void registered_last(void)
{
    order = 2;
}

int main(void)
{
    atexit(registered_first);
    atexit(registered_last);
    exit(0);
}
