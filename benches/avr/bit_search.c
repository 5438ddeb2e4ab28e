/* Successive approximation: the value on port B is put together bit by bit, the comparator's answer is bit 0
 * of port C; the finished value goes to port D. Right: GPIOR0, the tries, never exceeds 8. */
#include <avr/io.h>

int main(void) {
    DDRB = 0xff;
    DDRD = 0xff;
    for (;;) {
        uint8_t value = 0;
        GPIOR0 = 0;
        for (uint8_t bit = 0x80; bit != 0; bit >>= 1) {
            GPIOR0 = GPIOR0 + 1;
            PORTB = value | bit;
            if (PINC & 1) {
                value |= bit;
            }
        }
        PORTD = value;
    }
}
