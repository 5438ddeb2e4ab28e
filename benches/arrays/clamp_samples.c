// verdict: holds
// Samples are limited in place.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

uint16_t __VERIFIER_nondet_ushort(void);
int16_t __VERIFIER_nondet_short(void);

static int16_t samples[1024];

int main(void) {
    uint16_t count = __VERIFIER_nondet_ushort(), at = __VERIFIER_nondet_ushort();
    if (count > 1024 || at >= count)
        return 0;
    for (uint16_t i = 0; i < count; i++)
        samples[i] = __VERIFIER_nondet_short();
    for (uint16_t i = 0; i < count; i++) {
        if (samples[i] > 2000)
            samples[i] = 2000;
        if (samples[i] < -2000)
            samples[i] = -2000;
    }
    assert(samples[at] >= -2000 && samples[at] <= 2000);
}
