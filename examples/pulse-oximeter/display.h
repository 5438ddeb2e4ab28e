/* A character display of two lines of 16, with the usual HD44780 controller on four data lines.
 *
 * Writing a character means changing a picture in RAM. The main loop then copies the picture to the
 * controller, one character per round and only when the controller is ready, so that nobody ever waits for
 * the display. No function here has a loop: what takes time takes rounds.
 */
#ifndef DISPLAY_H
#define DISPLAY_H

#include <stdint.h>

#define DISPLAY_LINES 2
#define DISPLAY_COLUMNS 16

/* The picture is made of fields of four characters, four in a line. */
#define DISPLAY_FIELDS 8
#define FIELD_LENGTH 4

void display_initialise(void);

/* Copies the next character to the controller, if it is ready. */
void display_step(void);

/* Puts a text of four characters into a field. */
void display_text(uint8_t field, const char text[FIELD_LENGTH]);

/* Puts a number from 0 to 999 into a field: a blank, and three places with leading blanks. */
void display_number(uint8_t field, uint16_t number);

#endif
