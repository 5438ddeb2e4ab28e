// verdict: violated
// Revolutions from captures of a timer of 16 bits; two captures at the same count divide by zero.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define TIMER_HZ 62500u
#define RPM_MAX 60000u

extern volatile uint16_t TIMER_CAPTURE;
extern volatile uint8_t TIMER_FLAGS;

enum { CAPTURED = 1, OVERFLOWED = 2 };

static uint16_t last;
static uint8_t overflows;
static bool synchronised;
static uint32_t rpm;

static void overflow(void) {
    if (overflows < UINT8_MAX)
        overflows++;
    if (overflows > 3) { /* The shaft stands still. */
        synchronised = false;
        rpm = 0;
    }
}

static void capture(uint16_t count) {
    if (synchronised && overflows <= 1) {
        uint16_t period = (uint16_t)(count - last);
        uint32_t value = TIMER_HZ * 60u / period;
        rpm = value < RPM_MAX ? value : RPM_MAX;
    }
    synchronised = true;
    overflows = 0;
    last = count;
}

int main(void) {
    while (1) {
        uint8_t flags = TIMER_FLAGS;
        if (flags & OVERFLOWED)
            overflow();
        if (flags & CAPTURED)
            capture(TIMER_CAPTURE);
        assert(rpm <= RPM_MAX);
        assert(synchronised || rpm == 0);
    }
}
