// kripke: check --interrupt tick --interrupt-once-per tick=wait_for_tick --all --check assertion
// verdict: violated
// violates: assertion@21
/* Between two calls of the function the handler comes at most once. */
#include <assert.h>
#include <stdint.h>
void wait_for_tick(void);
static volatile int ticks;
void tick(void)
{
    ticks++;
}
int main(void)
{
    assert(ticks <= 1);
    wait_for_tick();
    assert(ticks <= 2);
    int t = ticks;
    wait_for_tick();
    assert(ticks <= t + 2);
    assert(ticks <= t + 1);
    return 0;
}
