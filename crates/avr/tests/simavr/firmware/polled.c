/* Flags that are polled: a conversion of the ADC, a byte over SPI, one over the serial line, one in the
   EEPROM, and timers. */
#include <avr/eeprom.h>
#include <avr/io.h>
#include <stdint.h>

#ifdef UCSR0A
#define STATUS UCSR0A
#define CONTROL UCSR0B
#define DATA UDR0
#define BAUD UBRR0L
#define ENABLED (1 << RXEN0 | 1 << TXEN0)
#define CAN_SEND (1 << UDRE0)
#define WAS_SENT (1 << TXC0)
#define WAS_RECEIVED (1 << RXC0)
#define PULSES TCCR0B
#define FLAGS TIFR0
#else
#define STATUS UCSRA
#define CONTROL UCSRB
#define DATA UDR
#define BAUD UBRRL
#define ENABLED (1 << RXEN | 1 << TXEN)
#define CAN_SEND (1 << UDRE)
#define WAS_SENT (1 << TXC)
#define WAS_RECEIVED (1 << RXC)
#define PULSES TCCR0
#define FLAGS TIFR
#endif

static uint16_t convert(uint8_t channel) {
    ADMUX = 1 << REFS0 | channel;
    ADCSRA |= 1 << ADSC;
    while (ADCSRA & (1 << ADSC)) {
    }
    ADCSRA |= 1 << ADIF;
    return ADC;
}

static uint8_t exchange(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & (1 << SPIF))) {
    }
    return SPDR;
}

static void wait(void) {
    TCNT0 = 0;
    FLAGS = 1 << TOV0;
    PULSES = 1 << CS01;
    while (!(FLAGS & (1 << TOV0))) {
    }
    PULSES = 0;
}

int main(void) {
    DDRB = 0xB8;
    BAUD = 1;
    CONTROL = ENABLED;
    ADCSRA = 1 << ADEN | 1 << ADPS0;
    SPCR = 1 << SPE | 1 << MSTR;
    for (uint8_t round = 0;; round++) {
        uint16_t voltage = convert(round & 7);
        uint8_t answer = exchange(voltage >> 2);
        eeprom_write_byte((uint8_t *)(uint16_t)round, answer ^ voltage);
        while (!(STATUS & CAN_SEND)) {
        }
        DATA = eeprom_read_byte((uint8_t *)(uint16_t)(round / 2));
        while (!(STATUS & WAS_SENT)) {
        }
        STATUS = WAS_SENT;
        if (STATUS & WAS_RECEIVED) {
            round ^= DATA;
        }
        wait();
    }
}
