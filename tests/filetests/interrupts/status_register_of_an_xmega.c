// kripke: check --interrupt tick --check assertion --target avr
// verdict: violated
// violates: main.assertion.1
/* What is restored may enable interrupts, wherever the status register is. */
#include <assert.h>
#include <stdint.h>
struct cpu {
    uint8_t others[15], status;
};
#define SREG (((volatile struct cpu *)0x30)->status)
static volatile uint8_t t;
void tick(void)
{
    t = 1;
}
int main(void)
{
    __asm__ __volatile__("sei");
    uint8_t saved = SREG;
    __asm__ __volatile__("cli");
    t = 0;
    SREG = saved;
    assert(t == 0);
    return 0;
}
