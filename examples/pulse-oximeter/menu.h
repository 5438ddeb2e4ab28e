/* What the display shows, and what the buttons of the panel do.
 *
 *   SET_TIME    the length of a measurement in seconds; UP makes it longer     (shown at power-up)
 *   RESULT      oxygen saturation and heart rate
 *   SERVICE     serial rate and number of log entries; UP selects the next rate
 *
 * MENU goes from one to the next. START starts a measurement, whatever is shown.
 */
#ifndef MENU_H
#define MENU_H

#include <stdint.h>

enum menu_state {
    MENU_RESULT = 0,
    MENU_SET_TIME = 1,
    MENU_SERVICE = 2
};

#define SET_TIME_SHORTEST 5
#define SET_TIME_LONGEST 600

void menu_initialise(void);

/* Remembers what is set before a button changes it: the display marks a changed value. */
void menu_before_button(void);

/* Does what a button, an enum button, means now. */
void menu_button(uint8_t button);

/* Brings the picture up to date, one field per tick. */
void menu_step(void);

/* The length of a measurement, in seconds. */
uint16_t menu_measuring_time(void);

#endif
