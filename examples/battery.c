/* The charge of a battery from its voltage: what docs/five-minutes.md mends, step by step.
 *   kripke check examples/battery.c
 *   kripke check examples/battery.c -DCLAMPED --target avr
 *   kripke check examples/battery.c -DCLAMPED -DWIDE --target avr
 */
#include <assert.h>
#include <stdint.h>

unsigned short __VERIFIER_nondet_ushort(void);

/* In percent, from millivolts. */
uint8_t charge(uint16_t millivolts)
{
    if (millivolts < 3000)
        return 0;
#ifdef CLAMPED
    if (millivolts > 4200)
        return 100;
#endif
#ifdef WIDE
    return (uint32_t)(millivolts - 3000) * 100 / 1200;
#else
    return (millivolts - 3000) * 100 / 1200;
#endif
}

int main(void)
{
    uint16_t low = __VERIFIER_nondet_ushort();
    uint16_t high = __VERIFIER_nondet_ushort();
    assert(charge(low) <= 100);
    if (low <= high)
        assert(charge(low) <= charge(high));
}
