// kripke: check --replace-calls step
// verdict: violated
// violates: assertion@21

#include <assert.h>

static unsigned tick(void)
{
    static unsigned ticks;
    return ++ticks;
}

static void step(void) __CPROVER_assigns()
{
    tick();
}

int main(void)
{
    step();
    assert(tick() == 1);
}
