// kripke: check --interrupt timer --interrupt-if timer:TIMSK&1 --target avr --check assertion
// verdict: holds
// prints: the registers 0x59 begin with 0 and keep what the program writes
/* Names of the program mean what they mean there, and a section that clears the bit protects. */
#include <assert.h>
#include <stdint.h>
#define TIMSK (*(volatile uint8_t *)0x59)
static volatile uint16_t x;
uint16_t any(void);
void timer(void)
{
    uint16_t value = any();
    x = value > 1000 ? 1000 : value;
}
int main(void)
{
    TIMSK |= 1;
    for (;;) {
        uint8_t before = TIMSK;
        TIMSK &= (uint8_t)~1;
        uint16_t t = x;
        assert(t <= 1000);
        TIMSK = before;
    }
}
