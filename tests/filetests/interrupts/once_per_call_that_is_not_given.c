// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: main.assertion.1
/* Without the bound it comes again. */
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
