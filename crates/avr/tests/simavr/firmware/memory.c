/* A log in the EEPROM that the interrupt for its readiness writes, at clocks that change, with the
   oscillator's calibration, and a serial line that tells when all is sent. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifdef UCSR0A
#define CONTROL UCSR0B
#define STATUS UCSR0A
#define DATA UDR0
#define ENABLED (1 << TXEN0 | 1 << TXCIE0)
#define EMPTY (1 << UDRE0)
#define SENT USART_TX_vect
#define READY EE_READY_vect
#else
#define CONTROL UCSRB
#define STATUS UCSRA
#define DATA UDR
#define ENABLED (1 << TXEN | 1 << TXCIE)
#define EMPTY (1 << UDRE)
#define SENT USART_TXC_vect
#define READY EE_RDY_vect
#endif
#ifdef EEPE
#define WRITE (1 << EEPE)
#define MASTER (1 << EEMPE)
#else
#define WRITE (1 << EEWE)
#define MASTER (1 << EEMWE)
#endif

enum { SIZE = 4, PLACE = 16 };
static volatile uint8_t entries[SIZE], waiting, sent;

ISR(READY) {
    if (!waiting) {
        EECR &= ~(1 << EERIE);
        return;
    }
    EEAR = PLACE + --waiting;
    EEDR = entries[waiting];
    EECR |= MASTER;
    EECR |= WRITE;
}

ISR(SENT) {
    sent++;
}

static uint8_t stored(uint8_t place) {
    while (EECR & WRITE) {
    }
    EEAR = place;
    EECR |= 1 << EERE;
    return EEDR;
}

int main(void) {
    CONTROL = ENABLED;
    sei();
    for (uint8_t round = 1;; round++) {
#ifdef CLKPR
        if (round % 16 == 0) {
            CLKPR = 1 << CLKPCE;
            CLKPR = round >> 4 & 3;
        }
#endif
        if (round % 32 == 0) {
            OSCCAL ^= 1;
        }
        if (STATUS & EMPTY) {
            DATA = round;
        }
        cli();
        uint8_t busy = waiting;
        if (!busy) {
            for (uint8_t index = 0; index < SIZE; index++) {
                entries[index] = round + index;
            }
            waiting = SIZE;
            EECR |= 1 << EERIE;
        }
        sei();
        if (!busy && !(EECR & (1 << EERIE))) {
            PORTB = stored(PLACE + round % SIZE) ^ sent;
        }
    }
}
