/* Speed measurement, second way: what belongs together is spread over the handlers. A wheel's handler counts
   every second pulse and keeps the count in its limits; the timer's handler adds the one of the conversion's
   formula when it sends. Each looks right for itself. With FIXED the limit leaves room for that one. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifndef CHANNELS
#define CHANNELS 4
#endif

#ifdef FIXED
#define COUNT_MOST 250
#else
#define COUNT_MOST 251
#endif

#define BUS_STROBE (1 << PB0)

volatile uint8_t half0;
volatile uint8_t counter0;

#if CHANNELS == 4
volatile uint8_t half1;
volatile uint8_t counter1;
volatile uint8_t half2;
volatile uint8_t counter2;
volatile uint8_t half3;
volatile uint8_t counter3;
#endif

ISR(INT0_vect) {
    half0 ^= 1;
    if (half0 == 0 && counter0 < COUNT_MOST) {
        counter0++;
    }
}

#if CHANNELS == 4
ISR(INT1_vect) {
    half1 ^= 1;
    if (half1 == 0 && counter1 < COUNT_MOST) {
        counter1++;
    }
}

ISR(INT2_vect) {
    half2 ^= 1;
    if (half2 == 0 && counter2 < COUNT_MOST) {
        counter2++;
    }
}

ISR(TIMER1_CAPT_vect) {
    half3 ^= 1;
    if (half3 == 0 && counter3 < COUNT_MOST) {
        counter3++;
    }
}
#endif

ISR(TIMER0_OVF_vect) {
    PORTA = counter0 + 1;
    PORTB = BUS_STROBE;
    PORTB = 0;
    PORTA = 0;
    counter0 = 0;
#if CHANNELS == 4
    PORTA = counter1 + 1;
    PORTB = BUS_STROBE;
    PORTB = 0;
    PORTA = 0;
    counter1 = 0;
    PORTA = counter2 + 1;
    PORTB = BUS_STROBE;
    PORTB = 0;
    PORTA = 0;
    counter2 = 0;
    PORTA = counter3 + 1;
    PORTB = BUS_STROBE;
    PORTB = 0;
    PORTA = 0;
    counter3 = 0;
#endif
}

int main(void) {
    DDRA = 0xFF;
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
    }
}
