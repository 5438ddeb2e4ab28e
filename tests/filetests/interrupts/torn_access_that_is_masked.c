// kripke: check --target avr --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static volatile uint16_t ticks;
void tick(void)
{
    ticks++;
}
int main(void)
{
    __asm__ volatile("sei");
    for (;;) {
        __asm__ volatile("cli");
        uint16_t now = ticks;
        __asm__ volatile("sei");
        if (now > 9)
            break;
    }
    return 0;
}
