// kripke: check
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned a = nondet_uchar() % 8, b = nondet_uchar() % 8;
    unsigned x = a, y = b;
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    if (x != 0) {
        assert(a % x == 0 && b % x == 0);
    } else {
        assert(a == 0 && b == 0);
    }
    return 0;
}
