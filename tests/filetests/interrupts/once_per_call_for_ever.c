// kripke: check --interrupt tick --interrupt-once-per tick=wait_for_tick --check assertion
// verdict: holds
/* The main loop takes what came since the last call. */
#include <assert.h>
#include <stdint.h>
static volatile unsigned char came;
static volatile int lost;
void tick(void)
{
    if (came > 1)
        lost = 1;
    came++;
}
static void wait_for_tick(void)
{
}
int main(void)
{
    for (;;) {
        wait_for_tick();
        came = 0;
        assert(!lost);
    }
}
