// kripke: check --interrupts --target avr --check assertion
// verdict: holds
// prints: `__vector_1`, `__vector_2` do nothing when interrupts call them
// What EMPTY_INTERRUPT and ISR with an empty body stand for.
#include <assert.h>
static volatile int t;
void __vector_1(void) __attribute__((signal, naked, used));
void __vector_1(void)
{
    __asm__ __volatile__("reti" ::);
}
void __vector_2(void) __attribute__((signal, used));
void __vector_2(void)
{
}
int main(void)
{
    __asm__ __volatile__("sei");
    assert(t == 0);
    return 0;
}
