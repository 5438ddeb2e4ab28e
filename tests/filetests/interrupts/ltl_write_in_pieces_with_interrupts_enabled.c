// kripke: check --interrupt tick --target avr --check none --unwind 2
// verdict: violated
// ltl: whole: G({w == 0} | {w == 511})
// violates: whole
/* The pieces of a write that a handler may come into are letters. */
#include <stdint.h>
static volatile uint16_t w, k;
void tick(void)
{
    k = w;
}
int main(void)
{
    __asm__ __volatile__("sei" ::: "memory");
    for (;;) {
        w = 0x1ff;
        w = 0;
    }
}
