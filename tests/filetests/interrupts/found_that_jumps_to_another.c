// kripke: check --interrupts --target avr --check assertion
// verdict: violated
// violates: assertion@23
// prints: `__vector_1` comes at any time
// What ISR_ALIAS stands for, and an alias of a function that is no handler otherwise.
#include <assert.h>
static volatile int t;
void __vector_1(void) __attribute__((signal, used));
void __vector_1(void)
{
    t = 1;
}
void __vector_2(void) __attribute__((signal, naked, used));
void __vector_2(void)
{
    __asm__ __volatile__("rjmp __vector_1" ::);
}
void __vector_3(void) __attribute__((signal, alias("__vector_1")));
int main(void)
{
    __asm__ __volatile__("sei");
    assert(t >= 0);
    assert(t == 0);
    return 0;
}
