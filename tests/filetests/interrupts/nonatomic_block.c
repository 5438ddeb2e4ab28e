// kripke: check --interrupts --target avr --check assertion --all
// verdict: violated
// violates: main.assertion.2
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
int main(void)
{
    sei();
    for (;;) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            t = 0;
            assert(t == 0);
            NONATOMIC_BLOCK(NONATOMIC_RESTORESTATE)
            {
                assert(t == 0);
            }
            t = 0;
            assert(t == 0);
        }
    }
}
