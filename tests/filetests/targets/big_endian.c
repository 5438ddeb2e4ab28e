// kripke: check --target mips-linux-gnu
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

int main(void)
{
    uint32_t x = nondet_uint();
    uint8_t *bytes = (uint8_t *)&x;
    assert(bytes[0] == x >> 24 && bytes[3] == (x & 255));
    uint16_t *halves = (uint16_t *)&x;
    assert(halves[0] == x >> 16);
    return 0;
}
