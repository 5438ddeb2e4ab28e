// verdict: holds
// A low-pass filter with shifts for three channels; the state of each has four fractional bits.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define CHANNELS 3
#define SHIFT 4

uint16_t __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);

static uint16_t state[CHANNELS];
static bool started[CHANNELS];
static uint16_t highest;

static uint16_t filter(uint8_t channel, uint16_t sample) {
    if (!started[channel]) {
        state[channel] = (uint16_t)(sample << SHIFT);
        started[channel] = true;
    } else {
        state[channel] -= state[channel] >> SHIFT;
        state[channel] += sample;
    }
    return state[channel] >> SHIFT;
}

int main(void) {
    uint8_t channel = 0;
    while (1) {
        uint16_t sample = __VERIFIER_nondet_ushort();
        if (sample > 1023)
            sample = 1023;
        uint16_t value = filter(channel, sample);
        if (value > highest)
            highest = value;
        assert(value <= 1023);
        assert(highest <= 1023);
        channel = (uint8_t)(channel == CHANNELS - 1 ? 0 : channel + 1);
        if (__VERIFIER_nondet_bool())
            started[channel] = false;
    }
}
