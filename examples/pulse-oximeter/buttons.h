/* The three buttons of the front panel: START, UP and MENU.
 *
 * A button counts once, when it goes down. The state of a button is looked at again only when its contacts
 * have had time to come to rest.
 */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

enum button {
    BUTTON_NONE = 0,
    BUTTON_START = 1,
    BUTTON_MENU = 2,
    BUTTON_UP = 4
};

void buttons_initialise(void);

/* Reads the panel and hands a button that went down to the menu. */
void buttons_step(void);

#endif
