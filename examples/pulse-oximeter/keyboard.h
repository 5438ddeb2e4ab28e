/* The service keyboard: four keys in two rows and two columns.
 *
 *              column 0   column 1
 *   row 0      START      STOP
 *   row 1      LOG        RATE
 *
 * One row is looked at per tick. A key counts at the moment it goes down; after that the keyboard is deaf for
 * the time in which contacts bounce, and until the key is up.
 */
#ifndef KEYBOARD_H
#define KEYBOARD_H

#include <stdint.h>

enum key {
    KEY_NONE = 0,
    KEY_START = 1,
    KEY_STOP = 2,
    KEY_LOG = 3,
    KEY_RATE = 4
};

/* The key that waits for the command interpreter, an enum key. Who takes it writes KEY_NONE. */
extern uint8_t the_key;

void keyboard_initialise(void);

/* Looks at the present row, and sets `the_key` when a key went down. */
void keyboard_step(void);

#endif
