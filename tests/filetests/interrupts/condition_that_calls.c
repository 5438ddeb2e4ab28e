// kripke: check --interrupt tick --interrupt-if tick:is_ready() --check assertion
// verdict: violated
// violates: assertion@21
// prints: interrupted here by tick
/* What a condition does is no step of the run, and no handler. */
#include <assert.h>
static volatile int on, x;
static int is_ready(void)
{
    int unseen = on;
    return unseen > 0;
}
void tick(void)
{
    x = 1;
}
int main(void)
{
    on = 1;
    x = 0;
    assert(x == 0);
    return 0;
}
