/* A serial line: received bytes go into a ring buffer by interrupt, are changed in the main loop and sent by
   interrupt. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#ifdef UCSR0A
#define CONTROL UCSR0B
#define DATA UDR0
#define BAUD UBRR0L
#define ENABLED (1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0)
#define EMPTY (1 << UDRIE0)
#define RECEIVED USART_RX_vect
#define SENT USART_UDRE_vect
#else
#define CONTROL UCSRB
#define DATA UDR
#define BAUD UBRRL
#define ENABLED (1 << RXEN | 1 << TXEN | 1 << RXCIE)
#define EMPTY (1 << UDRIE)
#define RECEIVED USART_RXC_vect
#define SENT USART_UDRE_vect
#endif

enum { SIZE = 8 };
static volatile uint8_t in[SIZE], in_head, in_tail, out[SIZE], out_head, out_tail;

ISR(RECEIVED) {
    in[in_head] = DATA;
    in_head = (in_head + 1) % SIZE;
}

ISR(SENT) {
    if (out_head == out_tail) {
        CONTROL = ENABLED;
    } else {
        DATA = out[out_tail];
        out_tail = (out_tail + 1) % SIZE;
    }
}

int main(void) {
    BAUD = 0;
    CONTROL = ENABLED;
    sei();
    for (uint8_t sum = 0;;) {
        while (in_head == in_tail) {
        }
        uint8_t byte = in[in_tail];
        in_tail = (in_tail + 1) % SIZE;
        sum = (sum << 1 | sum >> 7) ^ byte;
        out[out_head] = sum;
        out_head = (out_head + 1) % SIZE;
        CONTROL = ENABLED | EMPTY;
    }
}
