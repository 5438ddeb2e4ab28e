/* The log in RAM.
 *
 * Invariant: once the log has a size, `next` is a valid index (property buflim).
 */
#include "log.h"

#include "timer.h"

/* The entries, field by field: an index of a byte array needs no multiplication. */
static uint8_t events[LOG_LARGEST];
static uint8_t details[LOG_LARGEST];
static uint8_t times[LOG_LARGEST];

/* How many entries the ring has; 0 until it is initialised. */
static uint8_t buffer_size;

/* Where the next event goes. */
static uint8_t next;

/* How many entries have been written, at most `buffer_size`. */
static uint8_t used;

void log_initialise(uint8_t size) {
    if (size == 0) {
        size = 1;
    }
    if (size > LOG_LARGEST) {
        size = LOG_LARGEST;
    }
    next = 0;
    used = 0;
    buffer_size = size;
}

void log_event(enum log_event event, uint8_t detail) {
    events[next] = (uint8_t)event;
    details[next] = detail;
    times[next] = timer_now();
    /* In one write: `next` must not be seen outside the ring even for a moment. */
#ifdef SEED_BUFLIM
    next = next >= buffer_size ? 0 : (uint8_t)(next + 1);
#else
    next = next + 1 >= buffer_size ? 0 : (uint8_t)(next + 1);
#endif
    if (used < buffer_size) {
        used++;
    }
}

uint8_t log_count(void) {
    return used;
}

bool log_read(uint8_t age, struct log_entry *entry) {
    uint8_t place;
    if (age >= used) {
        return false;
    }
    /* The newest entry is just before `next`, going round at the beginning. */
    if (next > age) {
        place = (uint8_t)(next - age - 1);
    } else {
        place = (uint8_t)(next + buffer_size - age - 1);
    }
    entry->event = events[place];
    entry->detail = details[place];
    entry->time = times[place];
    return true;
}
