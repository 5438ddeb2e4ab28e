// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned a = nondet_uchar(), b = nondet_uchar(), c = nondet_uchar();
    if (a > 0 && b > a && c > b)
        assert(a * a + b * b != c * c);
    return 0;
}
