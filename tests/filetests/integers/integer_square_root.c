// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned short nondet_ushort(void);

static uint8_t square_root(uint16_t x)
{
    uint16_t root = 0;
    for (uint16_t bit = 0x80; bit != 0; bit >>= 1)
        if ((uint32_t)(root | bit) * (root | bit) <= x)
            root |= bit;
    return (uint8_t)root;
}

int main(void)
{
    uint16_t x = nondet_ushort();
    uint32_t root = square_root(x);
    assert(root * root <= x);
    assert((root + 1) * (root + 1) > x);
    return 0;
}
