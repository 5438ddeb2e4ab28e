// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

static uint32_t reverse_bytes(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

int main(void)
{
    uint32_t x = nondet_uint();
    assert(reverse_bytes(x) == __builtin_bswap32(x));
    assert(reverse_bytes(reverse_bytes(x)) == x);
    return 0;
}
