/* The reentrance problem: the main loop and an interrupt handler both count i up to a limit. Each looks before it counts; but
   the handler can come between the look and the count of the main loop. With GUARDED the main loop does both with
   interrupts disabled. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#define LIMIT 200

volatile uint8_t i;

ISR(INT0_vect) {
    if (i < LIMIT) {
        i++;
    }
}

int main(void) {
    MCUCR = 1 << ISC01;
    GICR = 1 << INT0;
    sei();
    for (;;) {
#ifdef GUARDED
        cli();
#endif
        if (i < LIMIT) {
            i++;
        } else {
            i = 0;
        }
#ifdef GUARDED
        sei();
#endif
    }
}
