/* A fictive chemical plant: fill the tank, heat, drain, and again. Timer 1 gives the beat; the emergency stop
   at INT0 closes everything for good. Everything happens in the two interrupt handlers. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#define INLET (1 << PB0)
#define HEATER (1 << PB1)
#define OUTLET (1 << PB2)

#define FILL_BEATS 40
#define HEAT_BEATS 90
#define DRAIN_BEATS 60

enum { FILLING, HEATING, DRAINING, STOPPED };

volatile uint8_t phase = FILLING;
volatile uint8_t beats;

/* The outlet must be closed before the inlet opens, and the heater off before the outlet opens. */
static void enter(uint8_t next, uint8_t valves) {
    PORTB = 0;
    phase = next;
    beats = 0;
    PORTB = valves;
}

ISR(TIMER1_COMPA_vect) {
    beats++;
    switch (phase) {
    case FILLING:
        if (beats >= FILL_BEATS) {
            enter(HEATING, HEATER);
        }
        break;
    case HEATING:
        if (beats >= HEAT_BEATS) {
            enter(DRAINING, OUTLET);
        }
        break;
    case DRAINING:
        if (beats >= DRAIN_BEATS) {
            enter(FILLING, INLET);
        }
        break;
    default:
        beats = 0;
        break;
    }
}

ISR(INT0_vect) {
    PORTB = 0;
    phase = STOPPED;
    TIMSK = 0;
}

int main(void) {
    DDRB = INLET | HEATER | OUTLET;
    PORTB = INLET;
    PORTD = 1 << PD2;
    MCUCR = 1 << ISC01; /* INT0 at the falling edge */
    GICR = 1 << INT0;
    OCR1A = 7200;
    TCCR1B = (1 << WGM12) | (1 << CS12) | (1 << CS10);
    TIMSK = 1 << OCIE1A;
    sei();
    for (;;) {
    }
}
