// kripke: check --interrupt tick --check assertion --target avr
// verdict: unknown
/* Two registers are written at once, of which the second is the status register. */
#include <assert.h>
#include <stdint.h>
static volatile uint8_t x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    *(volatile uint16_t *)0x5e = 0x8000;
    assert(x == 0);
    __asm__ volatile("sei" ::: "memory");
    return 0;
}
