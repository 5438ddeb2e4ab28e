/* The reentrance problem: the main loop and an interrupt handler both count i up to a limit. Each looks
   before it counts; but the handler can come between the look and the count of the main loop. The lamp at PB0
   is lit while the handler runs. GUARDED: the main loop looks and counts with interrupts disabled. DEAF: it
   does, and enables them for no longer than the one instruction that always follows. */
#include <avr/cpufunc.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#define LIMIT 30

volatile uint8_t i;

ISR(INT0_vect) {
    PORTB = 1 << PB0;
    if (i < LIMIT) {
        i++;
    }
    PORTB = 0;
}

int main(void) {
    DDRB = 1 << PB0;
    MCUCR = 1 << ISC01;
    GICR = 1 << INT0;
    sei();
    for (;;) {
#if defined(GUARDED) || defined(DEAF)
        cli();
#endif
        if (i < LIMIT) {
            i++;
        } else {
            i = 0;
        }
#if defined(GUARDED) || defined(DEAF)
        sei();
#endif
#ifdef GUARDED
        _NOP(); /* an interrupt comes after it at the earliest */
#endif
    }
}
