// kripke: check --interrupt __vector_11 --target avr --check assertion
// verdict: unknown
#include <assert.h>
static volatile unsigned char t;
void __vector_11(void) __attribute__((interrupt, used));
void __vector_11(void)
{
    t = 1;
}
int main(void)
{
    __asm__ __volatile__("sei");
    assert(t < 2);
    return 0;
}
