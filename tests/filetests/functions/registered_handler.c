// kripke: check
// verdict: holds

#include <assert.h>

typedef void (*handler)(int);
static handler handlers[4];
static int seen;

static void remember(int event)
{
    seen = event;
}

int main(void)
{
    handlers[2] = remember;
    for (int e = 0; e < 4; e++)
        if (handlers[e])
            handlers[e](e);
    assert(seen == 2);
    return 0;
}
