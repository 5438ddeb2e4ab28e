/* Which pin of the ATmega16 is wired to what.
 *
 *   port A   0 photodiode (analogue)        4-5 keyboard rows (outputs)   6-7 keyboard columns (inputs)
 *   port B   0 red lamp   1 infrared lamp   2 display RS   3 display E   4 display R/W
 *   port C   0 rate jumper   1 log jumper   4-7 display data
 *   port D   0-1 serial   2 START   3 UP   4 MENU   6 battery comparator   7 buzzer
 *
 * Buttons, jumpers and keyboard columns have pull-ups: a pin that reads 0 is pressed or closed.
 */
#ifndef BOARD_H
#define BOARD_H

#include "hardware.h"

#define KEYBOARD_ROW_0 BIT(4)
#define KEYBOARD_ROW_1 BIT(5)
#define KEYBOARD_COLUMN_0 BIT(6)
#define KEYBOARD_COLUMN_1 BIT(7)

#define LAMP_RED BIT(0)
#define LAMP_INFRARED BIT(1)
#define DISPLAY_RS BIT(2)
#define DISPLAY_E BIT(3)
#define DISPLAY_READ BIT(4)

#define JUMPER_SLOW BIT(0)
#define JUMPER_SHORT_LOG BIT(1)
#define DISPLAY_DATA 0xF0
#define DISPLAY_BUSY BIT(7)

#define PANEL_START BIT(2)
#define PANEL_UP BIT(3)
#define PANEL_MENU BIT(4)
#define BATTERY_GOOD BIT(6)
#define BUZZER BIT(7)

#endif
