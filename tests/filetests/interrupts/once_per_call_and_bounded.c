// kripke: check --interrupt tick --interrupt-once-per tick=renew --interrupt-bound 2 --check assertion
// verdict: holds
/* Both bounds hold. */
#include <assert.h>
#include <stdint.h>
static volatile int ticks;
void renew(void);
void tick(void)
{
    ticks++;
}
int main(void)
{
    for (int i = 0; i < 4; i++)
        renew();
    assert(ticks <= 2);
    return 0;
}
