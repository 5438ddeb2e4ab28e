/* Commands, from the service keyboard and from the serial line.
 *
 *   key      letter   command
 *   START    s        start a measurement
 *   STOP     t        stop it
 *   LOG      l        send the log, newest entry first: event, detail, time in hexadecimal, a full stop
 *   RATE     r        use the next serial rate
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdint.h>

enum command {
    COMMAND_NONE = 0,
    COMMAND_START = 1,
    COMMAND_STOP = 2,
    COMMAND_LOG = 3,
    COMMAND_RATE = 4
};

void command_initialise(void);

/* Takes the key that was pressed, if any, and executes its command. */
void command_from_key(void);

/* Executes the command that a received letter stands for. */
void command_from_line(uint8_t letter);

/* Sends the next character of the log, when it was asked for and there is room. */
void command_step(void);

#endif
