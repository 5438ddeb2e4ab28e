// kripke: check --target avr
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char bit = nondet_uchar() & 31;
    unsigned long mask = 1ul << bit;
    assert(mask != 0);
    return 0;
}
