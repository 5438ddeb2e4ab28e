// kripke: check --interrupt tick --check assertion --target avr
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
#include <stdint.h>
#define SREG (*(volatile uint8_t *)0x5f)
#define cli() __asm__ __volatile__("cli" ::: "memory")
#define sei() __asm__ __volatile__("sei" ::: "memory")
static volatile uint8_t t;
void tick(void)
{
    t = 1;
}
int main(void)
{
    sei();
    uint8_t saved = SREG;
    cli();
    t = 0;
    SREG = saved;
    assert(t == 0);
    return 0;
}
