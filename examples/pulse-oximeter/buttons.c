/* The front panel. */
#include "buttons.h"

#include "board.h"
#include "log.h"
#include "menu.h"
#include "timer.h"

#define BOUNCE_TICKS 3

/* The button that is being handled, an enum button (properties up_btn and start_btn). */
static uint8_t button;

/* What was down when the panel was looked at last, and when that last changed. */
static uint8_t down;
static uint8_t changed_at;

void buttons_initialise(void) {
    DDRD &= (uint8_t)~(PANEL_START | PANEL_UP | PANEL_MENU);
    PORTD |= PANEL_START | PANEL_UP | PANEL_MENU;
    button = BUTTON_NONE;
    down = BUTTON_NONE;
    changed_at = (uint8_t)(timer_now() - BOUNCE_TICKS);
}

static uint8_t read_panel(void) {
    uint8_t pins = PIND;
    uint8_t pressed = BUTTON_NONE;
    if (!(pins & PANEL_START)) {
        pressed |= BUTTON_START;
    }
    if (!(pins & PANEL_MENU)) {
        pressed |= BUTTON_MENU;
    }
    if (!(pins & PANEL_UP)) {
        pressed |= BUTTON_UP;
    }
    return pressed;
}

/* One of the buttons of a set: START before MENU before UP. */
static uint8_t first_of(uint8_t set) {
    if (set & BUTTON_START) {
        return BUTTON_START;
    }
    if (set & BUTTON_MENU) {
        return BUTTON_MENU;
    }
    return set & BUTTON_UP;
}

void buttons_step(void) {
    uint8_t pressed;
    uint8_t fresh;
    if (timer_since(changed_at) < BOUNCE_TICKS) {
        return;
    }
    pressed = read_panel();
    if (pressed == down) {
        return;
    }
    fresh = first_of((uint8_t)(pressed & ~down));
    down = pressed;
    changed_at = timer_now();
    if (fresh == BUTTON_NONE) {
        return;
    }
    log_event(LOG_BUTTON, fresh);
    menu_before_button();
    button = fresh;
    menu_button(fresh);
    button = BUTTON_NONE;
}
