// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

static uint32_t rotate_left(uint32_t x, unsigned n)
{
    n &= 31;
    return n == 0 ? x : x << n | x >> (32 - n);
}

int main(void)
{
    uint32_t x = nondet_uint();
    unsigned n = nondet_uint();
    assert(rotate_left(rotate_left(x, n), 32 - (n & 31)) == x);
    return 0;
}
