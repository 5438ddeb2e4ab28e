/* Two buses by interrupt: SPI as a slave, which is master for a moment now and then, and TWI, as a master
   whose slave may be missing and as a slave itself. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

enum { START = 1 << TWINT | 1 << TWSTA | 1 << TWEN | 1 << TWIE };
enum { GO_ON = 1 << TWINT | 1 << TWEA | 1 << TWEN | 1 << TWIE };
enum { STOP = GO_ON | 1 << TWSTO };

static volatile uint8_t received, answer, last, acknowledged, lost;

ISR(SPI_STC_vect) {
    received = SPDR;
    SPDR = answer++;
}

ISR(TWI_vect) {
    last = TWSR & 0xF8;
    switch (last) {
    case 0x08: /* started: address a slave */
    case 0x10:
        TWDR = answer << 1;
        TWCR = GO_ON;
        break;
    case 0x18: /* it is there: a byte */
    case 0x28:
        acknowledged++;
        TWDR = received;
        TWCR = acknowledged & 3 ? GO_ON : STOP;
        break;
    case 0x60: /* addressed */
    case 0x80: /* a byte for us */
        answer = TWDR;
        TWCR = GO_ON;
        break;
    default:
        lost++;
        TWCR = STOP;
    }
}

int main(void) {
    TWBR = 12;
    TWAR = 0x42;
    DDRB = 0xFF;
    SPCR = 1 << SPE | 1 << SPIE;
    TWCR = GO_ON;
    sei();
    for (uint8_t round = 0;; round++) {
        if (round % 64 == 0) {
            TWCR = START;
        }
        if (round % 128 == 7) {
            SPCR = 1 << SPE | 1 << MSTR;
            SPDR = round;
            while (!(SPSR & (1 << SPIF)) && SPCR & (1 << MSTR)) {
            }
            received = SPDR;
            SPCR = 1 << SPE | 1 << SPIE;
        }
        PORTC = received ^ last;
    }
}
