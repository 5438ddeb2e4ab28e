// kripke: check --interrupts --target avr --check assertion
// verdict: holds
// prints: `__vector_16` comes at any time
#include <assert.h>
#include <stdint.h>
#define __AVR_ATmega328P__
#include <avr/interrupt.h>
#include <util/atomic.h>
static volatile uint16_t t;
ISR(TIMER0_OVF_vect)
{
    t = t == 0 ? 0x1ff : 0;
}
int main(void)
{
    uint16_t now;
    sei();
    for (;;) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            now = t;
        }
        assert(now == 0 || now == 0x1ff);
    }
}
