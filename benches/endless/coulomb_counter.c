// verdict: violated
// A battery gauge adds up current over time; the charge saturates too late, so that the sum overflows.
#include <assert.h>
#include <stdint.h>

#define CAPACITY 2000000000 /* Microampere seconds. */

int16_t __VERIFIER_nondet_short(void);
uint8_t __VERIFIER_nondet_uchar(void);

static int32_t charge = CAPACITY / 2;
static int32_t offset;
static uint8_t settled;

static int32_t microamperes(int16_t raw) {
    int32_t value = (int32_t)raw * 610 - offset;
    if (value > -2000 && value < 2000) {
        if (settled < 20)
            settled++;
        return 0;
    }
    settled = 0;
    return value;
}

static void accumulate(int32_t current, uint8_t seconds) {
    charge += current * seconds;
    if (charge > CAPACITY)
        charge = CAPACITY;
    if (charge < 0)
        charge = 0;
}

static uint8_t percent(void) {
    return (uint8_t)(charge / (CAPACITY / 100));
}

int main(void) {
    for (;;) {
        uint8_t seconds = __VERIFIER_nondet_uchar() % 10 + 1;
        int32_t current = microamperes(__VERIFIER_nondet_short());
        if (settled == 20)
            offset = 0;
        if (current < 15000000 && current > -15000000)
            accumulate(current, seconds);
        assert(charge >= 0 && charge <= CAPACITY);
        assert(percent() <= 100);
    }
}
