// kripke: check --interrupt tick --check assertion --target avr
// verdict: holds
#include <assert.h>
#include <stdint.h>
#define SREG (*(volatile uint8_t *)0x5f)
static volatile uint16_t t;
void tick(void)
{
    uint8_t saved = SREG;
    __asm__ __volatile__("cli" ::: "memory");
    t = t == 0 ? 0x101 : 0;
    SREG = saved;
}
int main(void)
{
    __asm__ __volatile__("sei" ::: "memory");
    for (;;) {
        uint8_t saved = SREG;
        __asm__ __volatile__("cli" ::: "memory");
        uint16_t now = t;
        SREG = saved;
        assert((now & 0xff) == now >> 8);
    }
}
