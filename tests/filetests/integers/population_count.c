// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

static unsigned count_bits(uint32_t x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> 24;
}

int main(void)
{
    uint32_t x = nondet_uint();
    assert(count_bits(x) == (unsigned)__builtin_popcount(x));
    return 0;
}
