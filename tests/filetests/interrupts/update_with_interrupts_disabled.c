// kripke: check --interrupt tick --interrupt-disable off --interrupt-enable on --check assertion
// verdict: holds
#include <assert.h>
void on(void);
void off(void);
static int x, ticks;
void tick(void)
{
    if (ticks < 2) {
        ticks++;
        x++;
    }
}
int main(void)
{
    on();
    off();
    x++;
    assert(x == ticks + 1);
    on();
    return 0;
}
