/* A timer that its mask enables: the main loop clears the bit while it reads what the timer measured. */
#include <assert.h>
#include <stdint.h>

#define TIMSK (*(volatile uint8_t *)0x59)

static volatile uint16_t period;

uint16_t captured(void);

void timer(void)
{
    uint16_t value = captured();
    period = value > 1000 ? 1000 : value;
}

static uint16_t measured(void)
{
#ifdef WRONG
    return period;
#else
    TIMSK &= (uint8_t)~1;
    uint16_t value = period;
    TIMSK |= 1;
    return value;
#endif
}

int main(void)
{
    TIMSK |= 1;
    for (;;) {
        uint16_t value = measured();
        assert(value <= 1000);
    }
}
