// kripke: check --interrupt tick --check assertion --target avr
// verdict: unknown
/* The status register is written by an address in a variable. */
#include <assert.h>
#include <stdint.h>
static volatile uint8_t x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    volatile uint8_t *status = (volatile uint8_t *)0x5f;
    *status = 0x80;
    assert(x == 0);
    __asm__ volatile("sei" ::: "memory");
    return 0;
}
