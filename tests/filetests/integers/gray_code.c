// kripke: check
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);

static unsigned char to_gray(unsigned char x) { return x ^ x >> 1; }

static unsigned char from_gray(unsigned char g)
{
    g ^= g >> 4;
    g ^= g >> 2;
    g ^= g >> 1;
    return g;
}

int main(void)
{
    unsigned char x = nondet_uchar();
    assert(from_gray(to_gray(x)) == x);
    unsigned char next = x + 1;
    assert(__builtin_popcount(to_gray(x) ^ to_gray(next)) == 1);
    return 0;
}
