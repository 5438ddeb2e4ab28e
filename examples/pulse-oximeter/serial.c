/* The serial line.
 *
 * Each ring has one writer and one reader: of the receiving ring the interrupt handler moves the head and the
 * main loop the tail, of the sending ring the other way round. Indices are single bytes, so that neither side
 * ever sees half of one.
 */
#include "serial.h"

#include "command.h"
#include "hardware.h"

/* CLOCK_HERTZ / (16 * rate) - 1. The smallest rate needs more than eight bits. */
#define DIVIDER_1200 383
#define DIVIDER_2400 191
#define DIVIDER_9600 47

#define LINE_ERRORS (UCSRA_FE | UCSRA_DOR | UCSRA_PE)

/* The rate that was asked for, and what the divider was set to (property baud_conf). */
static uint16_t serial_rate;
static uint16_t serial_divider;

static volatile uint8_t receive_ring[RECEIVE_LENGTH];
static volatile uint8_t receive_head;
static uint8_t receive_tail;

static uint8_t transmit_ring[TRANSMIT_LENGTH];
static uint8_t transmit_head;
static volatile uint8_t transmit_tail;

/* A byte is on its way into the ring; waits in the ring; is with the application (property serial_rx). */
static volatile uint8_t byte_on_line;
static volatile uint8_t receive_pending;
static uint8_t byte_delivered;

static volatile uint8_t errors;

static uint8_t after(uint8_t index, uint8_t length) {
    return (uint8_t)((index + 1) & (length - 1));
}

static void count_error(void) {
    if (errors < 255) {
        errors++;
    }
}

INTERRUPT(serial_receive_interrupt, VECTOR_USART_RXC) {
    uint8_t status = UCSRA; /* must be read before the byte */
    uint8_t byte = UDR;
    uint8_t place = receive_head;
    uint8_t following = after(place, RECEIVE_LENGTH);
#ifdef SEED_SERIAL_RX
    byte_on_line = 1; /* before the status has been looked at */
#endif
    if (status & LINE_ERRORS) {
        count_error();
        return;
    }
    byte_on_line = 1;
    if (following == receive_tail) {
        count_error(); /* full: the bytes that wait are worth more */
    } else {
        receive_ring[place] = byte;
        receive_head = following;
    }
    receive_pending = 1;
    byte_on_line = 0;
}

INTERRUPT(serial_transmit_interrupt, VECTOR_USART_UDRE) {
    uint8_t place = transmit_tail;
    if (place == transmit_head) {
        UCSRB &= (uint8_t)~UCSRB_UDRIE; /* nothing left: be quiet until there is */
        return;
    }
    UDR = transmit_ring[place];
    transmit_tail = after(place, TRANSMIT_LENGTH);
}

static uint16_t divider_of(uint16_t rate) {
    switch (rate) {
    case 1200:
        return DIVIDER_1200;
    case 2400:
        return DIVIDER_2400;
    default:
        return DIVIDER_9600;
    }
}

void serial_set_rate(uint16_t rate) {
#ifdef SEED_BAUD_CONF
    uint8_t divider = (uint8_t)divider_of(rate); /* enough for 2400 and above */
#else
    uint16_t divider = divider_of(rate);
#endif
    serial_rate = rate;
    serial_divider = divider;
    UBRRH = (uint8_t)(serial_divider >> 8);
    UBRRL = (uint8_t)serial_divider;
}

void serial_initialise(uint16_t rate) {
    receive_head = 0;
    receive_tail = 0;
    transmit_head = 0;
    transmit_tail = 0;
    byte_on_line = 0;
    receive_pending = 0;
    errors = 0;
    serial_set_rate(rate);
    UCSRC = UCSRC_URSEL | UCSRC_8_BITS;
    UCSRB = UCSRB_RXCIE | UCSRB_RXEN | UCSRB_TXEN;
}

void serial_next_rate(void) {
    switch (serial_rate) {
    case 1200:
        serial_set_rate(2400);
        break;
    case 2400:
        serial_set_rate(9600);
        break;
    default:
        serial_set_rate(1200);
        break;
    }
}

uint16_t serial_present_rate(void) {
    return serial_rate;
}

void serial_step(void) {
    uint8_t byte;
    if (!receive_pending) {
        return;
    }
    INTERRUPTS_DISABLE(); /* the flag and the ring must agree */
    byte = receive_ring[receive_tail];
    if (receive_tail != receive_head) {
        receive_tail = after(receive_tail, RECEIVE_LENGTH);
    }
    if (receive_tail == receive_head) {
        receive_pending = 0;
    }
    INTERRUPTS_ENABLE();
    byte_delivered = 1;
    command_from_line(byte);
    byte_delivered = 0;
}

bool serial_send(uint8_t byte) {
    uint8_t following = after(transmit_head, TRANSMIT_LENGTH);
    if (following == transmit_tail) {
        return false;
    }
    transmit_ring[transmit_head] = byte;
    transmit_head = following;
    UCSRB |= UCSRB_UDRIE;
    return true;
}

uint8_t serial_errors(void) {
    return errors;
}
