// kripke: check --interrupt tick:1 --interrupt timer:2
// options: --interrupt-once-per tick=renew --all --check assertion --interrupt-bound 3
// verdict: violated
// violates: assertion@30
/* What lets it come again may be called in a handler, as often as that comes, or not at all. */
#include <assert.h>
#include <stdint.h>
static volatile int ticks, timers;
static void renew(void)
{
}
void tick(void)
{
    ticks++;
}
void timer(void)
{
    timers++;
    renew();
}
int main(void)
{
    if (timers == 0) {
        int t = ticks;
        if (timers == 0)
            assert(t <= 1);
    }
    int t = ticks, u = timers;
    assert(t <= 2 || u >= 1);
    assert(ticks <= 2);
    return 0;
}
