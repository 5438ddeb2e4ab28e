// verdict: holds
// All samples lie between the smallest and the largest.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

uint16_t __VERIFIER_nondet_ushort(void);
int16_t __VERIFIER_nondet_short(void);

static int16_t samples[1024];

int main(void) {
    uint16_t count = __VERIFIER_nondet_ushort(), at = __VERIFIER_nondet_ushort();
    if (count == 0 || count > 1024 || at >= count)
        return 0;
    for (uint16_t i = 0; i < count; i++)
        samples[i] = __VERIFIER_nondet_short();
    int16_t smallest = samples[0], largest = samples[0];
    for (uint16_t i = 1; i < count; i++) {
        if (samples[i] < smallest)
            smallest = samples[i];
        if (samples[i] > largest)
            largest = samples[i];
    }
    assert(smallest <= samples[at] && samples[at] <= largest);
}
