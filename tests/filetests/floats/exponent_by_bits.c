// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
float nondet_float(void);

union parts {
    float real;
    uint32_t bits;
};

int main(void)
{
    union parts p;
    p.real = nondet_float();
    uint32_t exponent = p.bits >> 23 & 255;
    if (p.real >= 1 && p.real < 2)
        assert(exponent == 127);
    if (exponent == 128 && !(p.bits >> 31))
        assert(p.real >= 2 && p.real < 4);
    return 0;
}
