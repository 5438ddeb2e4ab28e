// kripke: check --interrupt timer --interrupt-if timer:TIMSK&1 --target avr --check assertion
// verdict: violated
// violates: main.assertion.1
/* It clears another bit. */
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
        TIMSK &= (uint8_t)~2;
        uint16_t t = x;
        assert(t <= 1000);
        TIMSK = before;
    }
}
