// kripke: check --interrupts --target avr --check assertion --all
// verdict: violated
// violates: main.assertion.3
// What was disabled stays disabled after ATOMIC_RESTORESTATE, also where the block is left by return, and is
// enabled after ATOMIC_FORCEON.
#include <assert.h>
#include <stdint.h>
#define __AVR_ATmega328P__
#include <avr/interrupt.h>
#include <util/atomic.h>
static volatile uint8_t t;
ISR(TIMER0_OVF_vect)
{
    t = 1;
}
static uint8_t read(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        return t;
    }
    return 0;
}
int main(void)
{
    uint8_t before = read();
    assert(before == 0);
    assert(t == 0);
    ATOMIC_BLOCK(ATOMIC_FORCEON)
    {
        before = t;
    }
    assert(t == 0);
    cli();
    sei();
    return before;
}
