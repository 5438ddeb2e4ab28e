/* The command interpreter. */
#include "command.h"

#include <stdbool.h>

#include "keyboard.h"
#include "log.h"
#include "measurement.h"
#include "serial.h"

/* The command that is being executed, an enum command (property keyb_start). */
static uint8_t command;

/* The log is being sent: the entry on its way, the age of the one after it, and the part sent next. */
static bool sending_log;
static struct log_entry entry;
static uint8_t next_age;
static uint8_t part;

/* The parts of an entry on the line: three bytes of two digits, and a full stop. */
#define PART_STOP 6

void command_initialise(void) {
    command = COMMAND_NONE;
    sending_log = false;
    next_age = 0;
    part = 0;
}

static void execute(void) {
    switch (command) {
    case COMMAND_START:
        measurement_call_start();
        break;
    case COMMAND_STOP:
        measurement_stop();
        break;
    case COMMAND_LOG:
        sending_log = true;
        next_age = 0;
        part = 0;
        break;
    case COMMAND_RATE:
        serial_next_rate();
        log_event(LOG_RATE, (uint8_t)(serial_present_rate() / 100));
        break;
    default:
        break;
    }
    command = COMMAND_NONE;
}

void command_from_key(void) {
#ifdef SEED_KEYB_START
    if (sending_log) {
        the_key = KEY_NONE; /* no time for keys */
        return;
    }
#endif
    switch (the_key) {
    case KEY_NONE:
        return;
    case KEY_START:
        command = COMMAND_START;
        break;
    case KEY_STOP:
        command = COMMAND_STOP;
        break;
    case KEY_LOG:
        command = COMMAND_LOG;
        break;
    default:
        command = COMMAND_RATE;
        break;
    }
    the_key = KEY_NONE;
    execute();
}

void command_from_line(uint8_t letter) {
    log_event(LOG_RECEIVED, letter);
    switch (letter) {
    case 's':
        command = COMMAND_START;
        break;
    case 't':
        command = COMMAND_STOP;
        break;
    case 'l':
        command = COMMAND_LOG;
        break;
    case 'r':
        command = COMMAND_RATE;
        break;
    default:
        return; /* noise */
    }
    execute();
}

static uint8_t hexadecimal_digit(uint8_t value) {
    return value < 10 ? (uint8_t)('0' + value) : (uint8_t)('A' + value - 10);
}

static uint8_t character_of_part(void) {
    switch (part) {
    case 0:
        return hexadecimal_digit(entry.event >> 4);
    case 1:
        return hexadecimal_digit(entry.event & 0x0F);
    case 2:
        return hexadecimal_digit(entry.detail >> 4);
    case 3:
        return hexadecimal_digit(entry.detail & 0x0F);
    case 4:
        return hexadecimal_digit(entry.time >> 4);
    case 5:
        return hexadecimal_digit(entry.time & 0x0F);
    default:
        return '.';
    }
}

void command_step(void) {
    if (!sending_log) {
        return;
    }
    if (part == 0 && !log_read(next_age, &entry)) {
        sending_log = false;
        return;
    }
    if (!serial_send(character_of_part())) {
        return; /* no room: again in the next round */
    }
    if (part < PART_STOP) {
        part++;
    } else {
        part = 0;
        next_age++;
    }
}
