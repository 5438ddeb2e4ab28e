// kripke: check --interrupt tick --check assertion --target avr
// verdict: holds
/* Other registers, and objects, are no status register, whoever writes them. */
#include <assert.h>
#include <stdint.h>
static volatile uint8_t x;
static uint8_t own;
void tick(void)
{
    x = 1;
}
static void put(volatile uint8_t *place)
{
    *place = 0x80;
}
int main(void)
{
    *(volatile uint8_t *)0x25 = 0x80;
    put(&own);
    assert(x == 0);
    __asm__ volatile("sei" ::: "memory");
    return 0;
}
