// verdict: holds
// A FIR filter over a ring of samples with a table of coefficients; its output is amplified and saturates.
#include <assert.h>
#include <stdint.h>

#define TAPS 8
#define LIMIT 2047

int16_t __VERIFIER_nondet_short(void);
uint8_t __VERIFIER_nondet_uchar(void);

static const int16_t coefficients[TAPS] = {-120, 340, 1900, 4100, 4100, 1900, 340, -120};
static int16_t samples[TAPS];
static uint8_t newest;
static uint8_t gain = 1;
static uint16_t clipped;

static int32_t convolve(void) {
    int32_t sum = 0;
    uint8_t at = newest;
    for (uint8_t i = 0; i < TAPS; i++) {
        sum += (int32_t)samples[at] * coefficients[i];
        at = at == 0 ? TAPS - 1 : at - 1;
    }
    return sum;
}

static int16_t filter(int16_t sample) {
    newest = (newest + 1) & (TAPS - 1);
    samples[newest] = sample < -LIMIT ? -LIMIT : sample > LIMIT ? LIMIT : sample;
    int32_t raw = convolve() / 8192;
    assert(raw >= -4 * LIMIT && raw <= 4 * LIMIT);
    int32_t threshold = LIMIT / gain; /* What is beyond it clips. */
    if (raw <= threshold && raw >= -threshold)
        return (int16_t)(raw * gain);
    if (clipped < UINT16_MAX)
        clipped++;
    return raw > 0 ? LIMIT : -LIMIT;
}

int main(void) {
    for (;;) {
        uint8_t wanted = __VERIFIER_nondet_uchar();
        if (wanted >= 1 && wanted <= 16)
            gain = wanted;
        int16_t out = filter(__VERIFIER_nondet_short());
        assert(out >= -LIMIT && out <= LIMIT);
    }
}
