/* Speed measurement, first way: everything happens in the interrupt handlers. Each wheel's pulses are counted
   by a handler of its own; the handler of timer 0 computes the speeds and puts them on the bus of the CAN
   controller. NESTED: the timer's handler disables and enables interrupts itself, as if nobody else did.
   NARROW: the speed is computed in eight bits. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifndef CHANNELS
#define CHANNELS 4
#endif

/* Overflows of timer 0 in one measurement, and the most pulses counted: more would mean a broken sensor. */
#define STEPS 4
#define PULSES_MOST 520

/* A speed is half the number of pulses, and at most this. */
#define SPEED_MOST 251

#define BUS_STROBE (1 << PB0)
#define RUN (1 << CS02)

volatile uint8_t status;

volatile uint16_t freq0;
#if CHANNELS == 4
volatile uint16_t freq1;
volatile uint16_t freq2;
volatile uint16_t freq3;
#endif

static inline void count(volatile uint16_t *pulses) {
    if (*pulses < PULSES_MOST) {
        (*pulses)++;
    }
}

ISR(INT0_vect) {
    count(&freq0);
}

#if CHANNELS == 4
ISR(INT1_vect) {
    count(&freq1);
}

ISR(INT2_vect) {
    count(&freq2);
}

ISR(TIMER1_CAPT_vect) {
    count(&freq3);
}
#endif

static inline void send(uint8_t speed) {
    PORTC = speed;
    PORTB = BUS_STROBE;
    PORTB = 0;
    PORTC = 0;
}

static inline void finish(volatile uint16_t *pulses) {
#ifdef NARROW
    uint8_t speed = *pulses / 2;
#else
    uint16_t speed = *pulses / 2;
#endif
    if (speed >= SPEED_MOST) {
        speed = SPEED_MOST;
    }
    send(speed);
    *pulses = 0;
}

ISR(TIMER0_OVF_vect) {
#ifdef NESTED
    cli();
#endif
    TCCR0 = 0;
    status++;
    if (status >= STEPS) {
        finish(&freq0);
#if CHANNELS == 4
        finish(&freq1);
        finish(&freq2);
        finish(&freq3);
#endif
        status = 0;
    }
#ifdef NESTED
    sei();
#endif
    TCNT0 = 0;
    TCCR0 = RUN;
}

int main(void) {
    DDRC = 0xFF;
    DDRB = BUS_STROBE;
#if CHANNELS == 4
    MCUCR = (1 << ISC11) | (1 << ISC10) | (1 << ISC01) | (1 << ISC00);
    MCUCSR = 1 << ISC2;
    GICR = (1 << INT2) | (1 << INT1) | (1 << INT0);
    TCCR1B = (1 << ICES1) | (1 << CS10);
    TIMSK = (1 << TICIE1) | (1 << TOIE0);
#else
    MCUCR = (1 << ISC01) | (1 << ISC00);
    GICR = 1 << INT0;
    TIMSK = 1 << TOIE0;
#endif
    TCCR0 = RUN;
    sei();
    for (;;) {
    }
}
