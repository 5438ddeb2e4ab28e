/* The mean of as many samples of a 12-bit converter as somebody asks for. */

#include <assert.h>
#include <stdint.h>

uint16_t __VERIFIER_nondet_ushort(void);

static uint16_t sample(void)
{
    return __VERIFIER_nondet_ushort() & 0x0fff;
}

int main(void)
{
    uint16_t samples = __VERIFIER_nondet_ushort();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < samples; i++)
        __CPROVER_loop_invariant(i <= samples && sum <= i * 4095)
    {
        sum += sample();
    }
    assert(sum <= samples * UINT32_C(4095));
}
