// kripke: check --interrupt tick --target avr --check none --unwind 2
// verdict: holds
// ltl: whole: G({w == 0} | {w == 511})
/* Nobody sees the pieces of a write that no handler comes into. */
#include <stdint.h>
static volatile uint16_t w, k;
void tick(void)
{
    k = w;
}
int main(void)
{
    __asm__ __volatile__("cli" ::: "memory");
    for (;;) {
        w = 0x1ff;
        w = 0;
    }
}
