// The program of docs/five-minutes-avr.md.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

volatile unsigned char count;

ISR(INT0_vect) {
    if (count < 30) count++;
}

int main(void) {
    GICR = 1 << INT0;
    sei();
    for (;;) {
#ifdef MENDED
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
            if (count < 30) count++;
        }
#else
        if (count < 30) count++;
#endif
        if (PINA & 1) count = 0;
    }
}
