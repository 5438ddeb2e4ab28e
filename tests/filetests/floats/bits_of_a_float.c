// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

int main(void)
{
    assert(bits_of(1.0f) == 0x3f800000);
    assert(bits_of(-2.0f) == 0xc0000000);
    assert(bits_of(0.1f) == 0x3dcccccd);
    assert(bits_of(-0.0f) == 0x80000000);
    return 0;
}
