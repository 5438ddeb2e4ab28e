/* Speed measurement, third way: the handlers only count, the main loop computes and sends. A divider in front
   of each input lets one count stand for 64 pulses. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifndef CHANNELS
#define CHANNELS 4
#endif

/* Overflows of timer 0 in one measurement of 0.1 s, and the most counts in it that make sense. */
#define OVERFLOWS 2
#define COUNT_MOST 9

/* 5733 Hz and more: 9 counts in 0.1 s. Below that the speed is 0.0436 * f + 1, where a count is 640 Hz. */
#define COUNT_FAST 9
#define SPEED_MOST 251
#define SPEED_PER_COUNT 28

#define BUS_STROBE (1 << PB0)

volatile uint8_t counts[CHANNELS];
volatile uint8_t overflows;
volatile uint8_t period_over;

/* What the main loop works on; global, so that properties can speak of it. */
volatile uint8_t frequency[CHANNELS];
volatile uint8_t velocity;

static inline void count(uint8_t channel) {
    if (counts[channel] < COUNT_MOST) {
        counts[channel]++;
    }
}

ISR(INT0_vect) {
    count(0);
}

#if CHANNELS == 4
ISR(INT1_vect) {
    count(1);
}

ISR(INT2_vect) {
    count(2);
}

ISR(TIMER1_CAPT_vect) {
    count(3);
}
#endif

ISR(TIMER0_OVF_vect) {
    overflows++;
    if (overflows >= OVERFLOWS) {
        overflows = 0;
        period_over = 1;
    }
}

static uint8_t speed_of(uint8_t count) {
    if (count == 0) {
        return 0;
    }
    if (count >= COUNT_FAST) {
        return SPEED_MOST;
    }
    return count * SPEED_PER_COUNT + 1;
}

static void send(uint8_t speed) {
    PORTC = speed;
    PORTB = BUS_STROBE;
    PORTB = 0;
    PORTC = 0;
}

/* The counts of all channels at one moment. */
static void take_counts(void) {
    cli();
    period_over = 0;
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        frequency[channel] = counts[channel];
        counts[channel] = 0;
    }
    sei();
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
    TCCR0 = 1 << CS02;
    sei();
    for (;;) {
        if (period_over) {
            take_counts();
            for (uint8_t channel = 0; channel < CHANNELS; channel++) {
                velocity = speed_of(frequency[channel]);
                send(velocity);
                frequency[channel] = 0;
                velocity = 0;
            }
        }
    }
}
