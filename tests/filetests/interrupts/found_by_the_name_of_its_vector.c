// kripke: check --interrupts --target avr --check assertion
// verdict: violated
// violates: assertion@21
// prints: `__vector_11` comes at any time
#include <assert.h>
#include <stdint.h>
static volatile uint16_t t;
void __vector_11(void) __attribute__((signal, used));
void __vector_11(void)
{
    t += 255;
    if (t > 510) {
        t = 0;
    }
}
int main(void)
{
    __asm__ __volatile__("sei" : : : "memory");
    for (;;) {
        uint16_t now = t;
        assert(now <= 510);
    }
}
