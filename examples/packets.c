/* A handler counts the packets that wait, the main loop takes one after the other. One that arrives between
 * the read and the write of the count is lost; with FIXED interrupts are disabled from the one to the
 * other. */
#include <stdint.h>

#define cli() __asm__ __volatile__("cli" ::: "memory")
#define sei() __asm__ __volatile__("sei" ::: "memory")

static volatile uint8_t waiting;
uint8_t taken;

void packet_arrived(void)
{
    waiting++;
}

int main(void)
{
    sei();
    for (;;) {
#ifdef FIXED
        cli();
#endif
        uint8_t left = waiting;
        if (left > 0) {
            waiting = left - 1;
            taken = 1;
        }
#ifdef FIXED
        sei();
#endif
    }
}
