// kripke: check --interrupt tick --check assertion --target avr
// verdict: violated
// violates: main.assertion.1
/* RETI of most AVRs sets the flag, that of an XMEGA leaves it. */
#include <assert.h>
#include <stdint.h>
#define SREG (*(volatile uint8_t *)0x5f)
static volatile uint8_t seen;
void tick(void)
{
    seen = 1;
    __asm__ __volatile__("cli");
}
int main(void)
{
    __asm__ __volatile__("sei");
    while (!seen)
        ;
    assert(SREG & 0x80);
    return 0;
}
