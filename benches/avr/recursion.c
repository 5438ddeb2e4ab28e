/* A recursive function of a number from port C: 0 + 1 + … + n for n from 0 to 7, at most 28.
 * Right: PORTB never exceeds 28. */
#include <avr/io.h>

__attribute__((noinline, noclone)) static uint8_t sum(uint8_t n) {
    if (n == 0) {
        return 0;
    }
    uint8_t below = sum(n - 1);
    /* Keeps the compiler from making a loop of it. */
    __asm__ volatile("" : "+r"(below));
    return n + below;
}

int main(void) {
    DDRB = 0xff;
    for (;;) {
        PORTB = sum(PINC & 7);
    }
}
