/* A firmware for every device: a timer's interrupt changes a pin and counts, the main loop looks at inputs,
   at the timer and at what a USART has received, and sends it back where there is one. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#if defined(TIMSK0)
#define TIMER_ENABLE TIMSK0
#else
#define TIMER_ENABLE TIMSK
#endif
#if defined(TCCR0B)
#define TIMER_CLOCK TCCR0B
#else
#define TIMER_CLOCK TCCR0
#endif
#if defined(TIM0_OVF_vect)
#define OVERFLOW TIM0_OVF_vect
#else
#define OVERFLOW TIMER0_OVF_vect
#endif
#if defined(UCSR0A)
#define STATUS UCSR0A
#define CONTROL UCSR0B
#define DATA UDR0
#define RECEIVED (1 << 7)
#elif defined(UCSR1A)
#define STATUS UCSR1A
#define CONTROL UCSR1B
#define DATA UDR1
#define RECEIVED (1 << 7)
#elif defined(UCSRA)
#define STATUS UCSRA
#define CONTROL UCSRB
#define DATA UDR
#define RECEIVED (1 << 7)
#endif

static volatile uint8_t ticks;

ISR(OVERFLOW) {
    ticks++;
    PORTB ^= 1 << 4;
}

int main(void) {
    uint8_t seen = 0;
    DDRB = 1 << 4;
    TIMER_CLOCK = 1;
    TIMER_ENABLE = 1 << TOIE0;
#ifdef STATUS
    CONTROL = 1 << 4 | 1 << 3;
#endif
    sei();
    for (;;) {
        if (PINB & 2) {
            seen += ticks;
        }
        if (TCNT0 > 100) {
            seen ^= 1;
        }
#ifdef STATUS
        if (STATUS & RECEIVED) {
            DATA = DATA ^ seen;
        }
#endif
#ifdef USISR
        if (!(USISR & 1 << USIOIF)) {
            USICR = 1 << USIWM0;
            USIDR = seen;
        }
#endif
    }
}
