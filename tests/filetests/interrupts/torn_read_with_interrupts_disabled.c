// kripke: check --interrupt tick --check assertion --target avr
// verdict: holds
#include <assert.h>
#include <stdint.h>
#define cli() __asm__ __volatile__("cli" ::: "memory")
#define sei() __asm__ __volatile__("sei" ::: "memory")
static volatile uint16_t t = 0x00ff;
void tick(void)
{
    t = t == 0x00ff ? 0x0100 : 0x00ff;
}
int main(void)
{
    sei();
    for (;;) {
        cli();
        uint16_t now = t;
        sei();
        assert(now == 0x00ff || now == 0x0100);
    }
}
