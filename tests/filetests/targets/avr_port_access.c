// kripke: check --target avr
// verdict: violated
// violates: assertion@19
// A device register is read anew each time, and may be anything.

#include <assert.h>
#include <stdint.h>

#define PINB (*(volatile uint8_t *)0x36)
#define PORTB (*(volatile uint8_t *)0x38)
#define DDRB (*(volatile uint8_t *)0x37)

int main(void)
{
    DDRB |= 1 << 3;
    PORTB = 0;
    while (PINB & 4) {
        PORTB ^= 1 << 3;
        assert((PINB & 8) == 0);
    }
    return 0;
}
