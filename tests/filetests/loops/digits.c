// kripke: check
// verdict: holds

#include <assert.h>
unsigned short nondet_ushort(void);

int main(void)
{
    unsigned n = nondet_ushort(), reversed = 0, rest = n;
    int digits = 0;
    do {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
        digits++;
    } while (rest != 0);
    assert(digits <= 5);
    assert(n < 10 ? reversed == n : 1);
    return 0;
}
