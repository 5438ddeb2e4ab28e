// kripke: check --interrupt tick --check assertion --target avr
// verdict: holds
#include <assert.h>
#include <stdint.h>
#define SREG (*(volatile uint8_t *)0x5f)
#define cli() __asm__ __volatile__("cli" ::: "memory")
#define sei() __asm__ __volatile__("sei" ::: "memory")
static volatile uint16_t t = 0x00ff;
void tick(void)
{
    t = t == 0x00ff ? 0x0100 : 0x00ff;
}
static uint16_t now(void)
{
    uint8_t saved = SREG;
    cli();
    uint16_t value = t;
    SREG = saved;
    return value;
}
int main(void)
{
    uint16_t first = now();
    assert(first == 0x00ff);
    sei();
    for (;;) {
        uint16_t later = now();
        assert(later == 0x00ff || later == 0x0100);
    }
}
