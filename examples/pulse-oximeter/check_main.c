/* The main of the check build: the firmware in every environment.
 *
 * The registers already give any value when they are read: keys, buttons, jumpers, received bytes,
 * conversions. What is missing are the interrupts, which do not come by themselves when the handlers are
 * ordinary functions. Here each of them may or may not come before every round of the main loop.
 */
#include <stdbool.h>

#include "hardware.h"
#include "system.h"

bool __VERIFIER_nondet_bool(void);

static void interrupts(void) {
    if (__VERIFIER_nondet_bool()) {
        timer_interrupt();
    }
    if (__VERIFIER_nondet_bool()) {
        serial_receive_interrupt();
    }
    if (__VERIFIER_nondet_bool()) {
        serial_transmit_interrupt();
    }
    if (__VERIFIER_nondet_bool()) {
        sensor_interrupt();
    }
}

int main(void) {
    system_initialise();
    for (;;) {
        interrupts();
        system_step();
    }
}
