/* The jumpers. */
#include "configuration.h"

#include "board.h"
#include "log.h"

#define RATE_SLOW 1200
#define RATE_FAST 9600

void configuration_read(struct configuration *configuration) {
    uint8_t pins;
    DDRC &= (uint8_t) ~(JUMPER_SLOW | JUMPER_SHORT_LOG);
    PORTC |= JUMPER_SLOW | JUMPER_SHORT_LOG;
    pins = PINC;
    configuration->serial_rate = pins & JUMPER_SLOW ? RATE_FAST : RATE_SLOW;
    configuration->log_entries = pins & JUMPER_SHORT_LOG ? LOG_LARGEST : LOG_SHORT;
}
