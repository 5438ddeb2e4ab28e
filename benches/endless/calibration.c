// verdict: holds
// A scale with two-point calibration in fixed point: no division by zero, no overflow, results in range.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define RAW_MAX 0xffff
#define SPAN_MIN 1000
#define REFERENCE_MIN 10
#define REFERENCE_MAX 20000
#define GRAMS_MAX 50000

uint8_t __VERIFIER_nondet_uchar(void);
uint16_t __VERIFIER_nondet_ushort(void);

static uint16_t zero, at_reference, reference = REFERENCE_MIN;
static uint32_t gain; /* Grams for each count, with 10 fractional bits. */
static bool have_zero, calibrated;

static void tare(uint16_t raw) {
    zero = raw;
    have_zero = true;
    calibrated = false;
}

static bool calibrate(uint16_t raw, uint16_t grams) {
    if (!have_zero || grams < REFERENCE_MIN || grams > REFERENCE_MAX)
        return false;
    if (raw < zero || raw - zero < SPAN_MIN)
        return false;
    at_reference = raw;
    reference = grams;
    gain = ((uint32_t)reference << 10) / (uint32_t)(raw - zero);
    calibrated = true;
    return true;
}

static int32_t weigh(uint16_t raw) {
    if (!calibrated)
        return -1;
    int32_t counts = (int32_t)raw - (int32_t)zero;
    if (counts < 0)
        counts = 0;
    int64_t grams = (int64_t)counts * (int32_t)gain / 1024;
    return grams > GRAMS_MAX ? GRAMS_MAX : (int32_t)grams;
}

int main(void) {
    for (;;) {
        uint16_t raw = __VERIFIER_nondet_ushort();
        switch (__VERIFIER_nondet_uchar()) {
        case 't':
            tare(raw);
            break;
        case 'c':
            calibrate(raw, __VERIFIER_nondet_ushort());
            break;
        default:
            break;
        }
        int32_t grams = weigh(raw);
        assert(grams >= -1 && grams <= GRAMS_MAX);
        if (calibrated) {
            assert(gain <= REFERENCE_MAX * 1024u / SPAN_MIN);
            uint32_t per_mille = 1000u * (uint32_t)(at_reference - zero) / reference;
            assert(per_mille / (uint32_t)(at_reference - zero) <= 1000u / REFERENCE_MIN);
        }
    }
}
