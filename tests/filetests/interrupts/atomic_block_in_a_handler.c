// kripke: check --interrupts --target avr --check assertion --all
// verdict: unknown
// prints: a handler that enables interrupts before it ends
// ATOMIC_FORCEON enables interrupts at its end; ATOMIC_RESTORESTATE would not.
#include <assert.h>
#include <stdint.h>
#define __AVR_ATmega328P__
#include <avr/interrupt.h>
#include <util/atomic.h>
static volatile uint8_t t;
ISR(TIMER0_OVF_vect)
{
    ATOMIC_BLOCK(ATOMIC_FORCEON)
    {
        t = 1;
    }
}
int main(void)
{
    sei();
    assert(t < 2);
    return 0;
}
