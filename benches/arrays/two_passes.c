// verdict: holds
// Thresholds are taken from one array, and flags set in another where they are reached.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

uint16_t __VERIFIER_nondet_ushort(void);
unsigned __VERIFIER_nondet_uint(void);

static uint16_t levels[600];
static uint8_t alarms[600];

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    uint16_t threshold = __VERIFIER_nondet_ushort();
    if (count > 600 || at >= count)
        return 0;
    for (unsigned i = 0; i < count; i++)
        levels[i] = __VERIFIER_nondet_ushort();
    for (unsigned i = 0; i < count; i++)
        alarms[i] = levels[i] >= threshold;
    int any = 0;
    for (unsigned i = 0; i < count; i++)
        if (alarms[i])
            any = 1;
    if (!any)
        assert(levels[at] < threshold);
}
