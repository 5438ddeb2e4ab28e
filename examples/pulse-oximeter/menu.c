/* The menu. */
#include "menu.h"

#include "buttons.h"
#include "display.h"
#include "log.h"
#include "measurement.h"
#include "serial.h"
#include "timer.h"

static uint8_t menu_state;

/* The length of a measurement, and what it was before the last button (property up_btn). */
static uint16_t set_time;
static uint16_t reference_time;

#ifdef SEED_UP_BTN
/* UP is counted, and every third press is taken for one: that was meant for keys that repeat. */
static uint8_t presses;
#endif

/* The field of the display that is drawn next. */
static uint8_t field;

void menu_initialise(void) {
    menu_state = MENU_SET_TIME;
    set_time = SET_TIME_SHORTEST;
    reference_time = SET_TIME_SHORTEST;
    field = 0;
}

void menu_before_button(void) {
    reference_time = set_time;
}

static void longer(void) {
#ifdef SEED_UP_BTN
    presses++;
    if (presses < 3) {
        return;
    }
    presses = 0;
#endif
    if (set_time >= SET_TIME_LONGEST) {
        set_time = SET_TIME_SHORTEST; /* round again */
        reference_time = set_time;
    }
    set_time++;
}

static void show_next(void) {
    switch (menu_state) {
    case MENU_SET_TIME:
        menu_state = MENU_RESULT;
        break;
    case MENU_RESULT:
        menu_state = MENU_SERVICE;
        break;
    default:
        menu_state = MENU_SET_TIME;
        break;
    }
    field = 0;
}

static void up(void) {
    if (menu_state == MENU_SET_TIME) {
        longer();
    } else if (menu_state == MENU_SERVICE) {
        serial_next_rate();
        log_event(LOG_RATE, (uint8_t)(serial_present_rate() / 100));
    }
}

static void start(void) {
#ifdef SEED_START_BTN
    if (menu_state != MENU_RESULT) {
        return; /* the other menus have a use of their own for the buttons */
    }
#endif
    measurement_call_start();
}

void menu_button(uint8_t button) {
    switch (button) {
    case BUTTON_START:
        start();
        break;
    case BUTTON_MENU:
        show_next();
        break;
    case BUTTON_UP:
        up();
        break;
    default:
        break;
    }
}

static void draw_blank(void) {
    display_text(field, "    ");
}

static void draw_set_time(void) {
    switch (field) {
    case 0:
        display_text(field, "MEAS");
        break;
    case 1:
        display_text(field, "URE ");
        break;
    case 2:
        display_number(field, set_time);
        break;
    case 3:
        display_text(field, " SEC");
        break;
    case 6:
        display_text(field, set_time != reference_time ? "   ^" : "    ");
        break;
    default:
        draw_blank();
        break;
    }
}

static void draw_result(void) {
    switch (field) {
    case 0:
        display_text(field, "SPO2");
        break;
    case 1:
        display_number(field, measurement_saturation());
        break;
    case 3:
        display_text(field, measurement_runs() ? "  ON" : " OFF");
        break;
    case 4:
        display_text(field, "HR  ");
        break;
    case 5:
        display_number(field, measurement_heart_rate());
        break;
    case 7:
        display_text(field, measurement_alarm() ? " LOW" : "    ");
        break;
    default:
        draw_blank();
        break;
    }
}

static void draw_service(void) {
    switch (field) {
    case 0:
        display_text(field, "RATE");
        break;
    case 1:
        display_number(field, (uint16_t)(serial_present_rate() / 100));
        break;
    case 2:
        display_text(field, "00  ");
        break;
    case 4:
        display_text(field, "LOG ");
        break;
    case 5:
        display_number(field, log_count());
        break;
    case 6:
        display_text(field, " ERR");
        break;
    case 7:
        display_number(field, serial_errors());
        break;
    default:
        draw_blank();
        break;
    }
}

void menu_step(void) {
    if (!timer_ticked()) {
        return;
    }
    switch (menu_state) {
    case MENU_SET_TIME:
        draw_set_time();
        break;
    case MENU_RESULT:
        draw_result();
        break;
    default:
        draw_service();
        break;
    }
    field = field + 1 >= DISPLAY_FIELDS ? 0 : (uint8_t)(field + 1);
}

uint16_t menu_measuring_time(void) {
    return set_time;
}
