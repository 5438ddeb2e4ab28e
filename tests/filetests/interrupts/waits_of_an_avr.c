// kripke: check --interrupts --target avr --check assertion
// verdict: holds
#include <assert.h>
static volatile unsigned char t;
void __vector_11(void) __attribute__((signal, used));
void __vector_11(void)
{
    t = 1;
}
int main(void)
{
    while (t == 0) {
        __asm__ __volatile__("sei\n\tsleep\n\tcli" : : : "memory");
        __asm__ __volatile__("wdr");
    }
    assert(t == 1);
    return 0;
}
