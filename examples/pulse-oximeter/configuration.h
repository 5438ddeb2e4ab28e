/* What the jumpers on the board say. They are read once, at power-up.
 *
 *   jumper SLOW        closed: 1200 bits per second at power-up, open: 9600
 *   jumper SHORT LOG   closed: a log of 4 entries, open: of 16
 */
#ifndef CONFIGURATION_H
#define CONFIGURATION_H

#include <stdint.h>

struct configuration {
    uint16_t serial_rate;
    uint8_t log_entries;
};

void configuration_read(struct configuration *configuration);

#endif
