// verdict: holds
// The mean of the last eight samples of an ADC with 12 bits, from a running sum.
#include <assert.h>
#include <stdint.h>

#define WINDOW 8

uint16_t __VERIFIER_nondet_ushort(void);

static uint16_t window[WINDOW];
static uint16_t sum;
static uint8_t at, filled;

static uint16_t average(uint16_t sample) {
    sum -= window[at];
    sum += sample;
    window[at] = sample;
    at = (at + 1) % WINDOW;
    if (filled < WINDOW)
        filled++;
    return sum / filled;
}

int main(void) {
    for (;;) {
        uint16_t sample = __VERIFIER_nondet_ushort() & 0x0fff;
        uint16_t mean = average(sample);
        assert(sum <= WINDOW * 0x0fff);
        assert(sum >= sample);
        assert(mean <= 0x0fff);
    }
}
