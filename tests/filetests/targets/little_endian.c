// kripke: check --target thumbv6m-none-eabi
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

int main(void)
{
    uint32_t x = nondet_uint();
    uint8_t *bytes = (uint8_t *)&x;
    assert(bytes[0] == (x & 255) && bytes[3] == x >> 24);
    return 0;
}
