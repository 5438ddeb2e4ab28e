/* The serial line: rate, a ring of received bytes and a ring of bytes to send.
 *
 * The interrupt handlers fill the one and empty the other. The main loop takes at most one byte per round and
 * hands it to the command interpreter.
 */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdbool.h>
#include <stdint.h>

/* Powers of two, so that a mask keeps an index inside. */
#define RECEIVE_LENGTH 8
#define TRANSMIT_LENGTH 16

void serial_initialise(uint16_t rate);

/* Sets the rate, in bits per second: 1200, 2400 or 9600. Any other value is taken for 9600. */
void serial_set_rate(uint16_t rate);

/* The rate after the present one, in a circle. */
void serial_next_rate(void);

uint16_t serial_present_rate(void);

/* Delivers a received byte, if there is one. */
void serial_step(void);

/* Queues a byte; false when there is no room. */
bool serial_send(uint8_t byte);

/* Bytes lost to line errors or to a full ring, up to 255. */
uint8_t serial_errors(void);

#endif
