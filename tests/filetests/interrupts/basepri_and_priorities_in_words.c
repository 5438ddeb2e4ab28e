// kripke: check --interrupt a:1:3 --interrupt tick:1:-1 --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.2
/* Four priorities stand in a word; a write by a computed address may be to any. */
#include <assert.h>
#include <stdint.h>
void __set_BASEPRI(uint32_t value);
unsigned any(void);
static volatile int x, y;
void a(void)
{
    x++;
}
void tick(void)
{
    y++;
}
int main(void)
{
    *(volatile uint32_t *)0xE000E400u = 0xF0000000u;
    *(volatile uint32_t *)0xE000ED20u |= 0xFFu << 24;
    *(volatile uint32_t *)0xE000ED20u = 0xF0000000u;
    __set_BASEPRI(0x80);
    int t = x, u = y;
    assert(t == x && u == y);
    ((volatile uint8_t *)0xE000E400u)[any() & 3] = 0;
    assert(t == x);
    return 0;
}
