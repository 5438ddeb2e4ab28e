/* Port input steers an 8-bit counter between 0 and a limit: bit 0 of port D counts up, bit 1 counts down.
 * Right: PORTB never exceeds LIMIT. */
#include <avr/io.h>

#ifndef LIMIT
#define LIMIT 100
#endif

int main(void) {
    DDRB = 0xff;
    uint8_t count = 0;
    for (;;) {
        uint8_t buttons = PIND;
        if ((buttons & 1) && count < LIMIT) {
            count++;
        } else if ((buttons & 2) && count > 0) {
            count--;
        }
        PORTB = count;
    }
}
