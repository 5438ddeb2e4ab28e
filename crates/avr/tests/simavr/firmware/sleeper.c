/* Sleeps until an interrupt: pin changes or levels, timers in several modes, the ADC. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

static volatile uint8_t seen[8];
static volatile uint16_t last;

#ifdef PCMSK0
ISR(PCINT0_vect) {
    seen[0] = PINB;
}

ISR(PCINT2_vect) {
    seen[1]++;
    PORTB = seen[1];
}

ISR(TIMER2_COMPA_vect) {
    seen[2]++;
}
#else
ISR(INT2_vect) {
    seen[0] = PINB;
}

ISR(INT0_vect) {
    seen[1]++;
    PORTB = seen[1];
}

ISR(TIMER2_COMP_vect) {
    seen[2]++;
}
#endif

ISR(INT1_vect) {
    seen[3]++;
}

ISR(TIMER1_COMPA_vect) {
    seen[4]++;
    OCR1A += 100;
    last = TCNT1;
}

ISR(TIMER1_OVF_vect, ISR_NOBLOCK) {
    seen[5]++;
}

ISR(TIMER0_OVF_vect) {
    seen[6]++;
}

ISR(ADC_vect) {
    seen[7] = ADCL;
    last = ADCH;
}

int main(void) {
    DDRB = 0x0F;
    OCR1A = 100;
#ifdef PCMSK0
    PCMSK0 = 0xF3;
    PCMSK2 = 0x81;
    PCICR = 1 << PCIE0 | 1 << PCIE2;
    EICRA = 1 << ISC11;
    EIMSK = 1 << INT1;
    TIMSK0 = 1 << TOIE0;
    TIMSK1 = 1 << OCIE1A | 1 << TOIE1;
    TIMSK2 = 1 << OCIE2A;
    TCCR0B = 1 << CS00;
    TCCR2A = 1 << WGM21;
    TCCR2B = 1 << CS21;
    OCR2A = 50;
#else
    MCUCSR = 1 << ISC2;
    MCUCR = 1 << ISC11 | 1 << ISC00;
    GICR = 1 << INT0 | 1 << INT1 | 1 << INT2;
    TIMSK = 1 << TOIE0 | 1 << OCIE1A | 1 << TOIE1 | 1 << OCIE2;
    TCCR0 = 1 << CS00;
    TCCR2 = 1 << WGM21 | 1 << CS21;
    OCR2 = 50;
#endif
    TCCR1B = 1 << CS10;
    ADCSRA = 1 << ADEN | 1 << ADIE | 1 << ADPS2;
    sei();
    for (;;) {
        set_sleep_mode(SLEEP_MODE_IDLE);
        sleep_mode();
        if (seen[6] > 3) {
            cli();
            seen[6] = 0;
            sei();
            ADCSRA |= 1 << ADSC;
        }
        PORTC = seen[0] + seen[3];
    }
}
