// kripke: check --target thumbv7m-none-eabi
// verdict: holds

#include <assert.h>
#include <stdint.h>

struct timer {
    volatile uint32_t control, load, value;
};
#define SYSTICK ((struct timer *)0xE000E010)

static uint32_t ticks(void)
{
    return SYSTICK->value & 0xffffff;
}

int main(void)
{
    SYSTICK->load = 71999;
    SYSTICK->control = 5;
    uint32_t t = ticks();
    assert(t <= 0xffffff);
    return 0;
}
