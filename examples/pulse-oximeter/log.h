/* A log in RAM: the last events, for the developer who reads them out over the serial line.
 *
 * It is a ring of `size` entries, chosen at power-up; when it is full the oldest entry gives way.
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>

#define LOG_LARGEST 16
#define LOG_SHORT 4

enum log_event {
    LOG_EMPTY,
    LOG_POWER_ON,
    LOG_WATCHDOG_RESET,
    LOG_CONFIGURATION,
    LOG_KEY,
    LOG_BUTTON,
    LOG_RECEIVED,
    LOG_START,
    LOG_STOP,
    LOG_RATE,
    LOG_RESULT,
    LOG_ALARM,
    LOG_BATTERY
};

struct log_entry {
    uint8_t event; /* an enum log_event, in a byte */
    uint8_t detail;
    uint8_t time; /* ticks */
};

/* Empties the log and sets how many entries it keeps, 1 to LOG_LARGEST. */
void log_initialise(uint8_t entries);

void log_event(enum log_event event, uint8_t detail);

/* How many entries can be read. */
uint8_t log_count(void);

/* The entry that was written `age` entries before the newest; false when there is none. */
bool log_read(uint8_t age, struct log_entry *entry);

#endif
