// kripke: check --target avr --check assertion
// verdict: holds
// prints: no interrupt calls `__vector_11`
#include <assert.h>
static volatile unsigned char t;
void __vector_11(void) __attribute__((signal, used));
void __vector_11(void)
{
    t = 1;
}
int main(void)
{
    __asm__ __volatile__("sei");
    assert(t == 0);
    return 0;
}
