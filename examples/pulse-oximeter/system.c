/* The order in which the parts work. It matters: what comes in is taken before what goes out is computed, so
 * that a key, a button or a received byte has its effect in the same round.
 */
#include "system.h"

#include <stdbool.h>

#include "board.h"
#include "buttons.h"
#include "command.h"
#include "configuration.h"
#include "display.h"
#include "keyboard.h"
#include "log.h"
#include "measurement.h"
#include "menu.h"
#include "sensor.h"
#include "serial.h"
#include "timer.h"

static bool battery_was_good;

static void watchdog_initialise(void) {
    WATCHDOG_RESET();
    WDTCR = WDTCR_WDE | WDTCR_2_SECONDS;
}

static void log_reset(void) {
    uint8_t reason = MCUCSR;
    MCUCSR = 0;
    log_event(reason & MCUCSR_WDRF ? LOG_WATCHDOG_RESET : LOG_POWER_ON, reason);
}

void system_initialise(void) {
    struct configuration configuration;
    timer_initialise();
    configuration_read(&configuration);
    log_initialise(configuration.log_entries);
    log_reset();
    log_event(LOG_CONFIGURATION, configuration.log_entries);
    serial_initialise(configuration.serial_rate);
    display_initialise();
    keyboard_initialise();
    buttons_initialise();
    sensor_initialise();
    measurement_initialise();
    command_initialise();
    menu_initialise();
    battery_was_good = true;
    watchdog_initialise();
}

/* An empty battery ends the measurement: a wrong number is worse than none. */
static void battery_step(void) {
    bool is_good = (PIND & BATTERY_GOOD) != 0;
    if (battery_was_good && !is_good) {
        log_event(LOG_BATTERY, 0);
        measurement_stop();
    }
    battery_was_good = is_good;
}

void system_step(void) {
    WATCHDOG_RESET();
    timer_step();
    serial_step();
    keyboard_step();
    command_from_key();
    buttons_step();
    battery_step();
    measurement_step();
    command_step();
    menu_step();
    display_step();
}
