// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>

int main(void)
{
    union {
        double real;
        uint64_t bits;
    } u = {.real = -1.0};
    assert(u.bits == 0xbff0000000000000ULL);
    u.bits = 0x4009000000000000ULL;
    assert(u.real == 3.125);
    return 0;
}
