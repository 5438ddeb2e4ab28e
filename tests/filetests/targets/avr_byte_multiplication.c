// kripke: check --target avr
// verdict: holds

#include <assert.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char a = nondet_uchar() & 127;
    int square = a * a;
    assert(square >= 0 && square <= 16129);
    return 0;
}
