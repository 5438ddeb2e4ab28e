/* The firmware's main. */
#include "hardware.h"
#include "system.h"

int main(void) {
    INTERRUPTS_DISABLE();
    system_initialise();
    INTERRUPTS_ENABLE();
    for (;;) {
        system_step();
    }
}
