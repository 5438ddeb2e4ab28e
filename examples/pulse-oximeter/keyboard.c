/* The keyboard. */
#include "keyboard.h"

#include <stdbool.h>

#include "board.h"
#include "log.h"
#include "timer.h"

#define BOUNCE_TICKS 3

uint8_t the_key;

/* The row that is driven low now. */
static uint8_t row;

/* The key that is down, and when it went down. */
static uint8_t held;
static uint8_t held_row;
static uint8_t held_since;

static void drive_row(uint8_t number) {
    uint8_t low = number == 0 ? KEYBOARD_ROW_0 : KEYBOARD_ROW_1;
    PORTA = (uint8_t)((PORTA | KEYBOARD_ROW_0 | KEYBOARD_ROW_1) & (uint8_t)~low);
}

void keyboard_initialise(void) {
    DDRA |= KEYBOARD_ROW_0 | KEYBOARD_ROW_1;
    PORTA |= KEYBOARD_COLUMN_0 | KEYBOARD_COLUMN_1;
    the_key = KEY_NONE;
    held = KEY_NONE;
    held_row = 0;
    held_since = 0;
    row = 0;
    drive_row(row);
}

/* The key that is down in the present row; when both are, that of column 0. */
static uint8_t read_row(void) {
    uint8_t columns = PINA;
    if (!(columns & KEYBOARD_COLUMN_0)) {
        return row == 0 ? KEY_START : KEY_LOG;
    }
    if (!(columns & KEYBOARD_COLUMN_1)) {
        return row == 0 ? KEY_STOP : KEY_RATE;
    }
    return KEY_NONE;
}

void keyboard_step(void) {
    uint8_t key = read_row();
    if (held != KEY_NONE) {
        bool bouncing = timer_since(held_since) < BOUNCE_TICKS;
        if (!bouncing && row == held_row && key == KEY_NONE) {
            held = KEY_NONE;
        }
    } else if (key != KEY_NONE) {
        held = key;
        held_row = row;
        held_since = timer_now();
        the_key = key;
        log_event(LOG_KEY, key);
    }
    if (timer_ticked()) {
        row = row == 0 ? 1 : 0;
        drive_row(row); /* it has settled by the next round */
    }
}
