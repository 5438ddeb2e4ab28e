// kripke: check
// verdict: holds
// _BitInt of clang 14 and later; the arithmetic stays in 7 bits.

#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned _BitInt(7) x = nondet_uchar();
    assert(x < 128);
    unsigned _BitInt(7) y = x + 1;
    assert(y == 0 || y > x);
    return 0;
}
