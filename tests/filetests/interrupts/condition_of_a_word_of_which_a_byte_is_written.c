// kripke: check --interrupt timer
// options: --interrupt-if timer:DIER&0x100 --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: assertion@23
/* The same register by another width. */
#include <assert.h>
#include <stdint.h>
#define DIER (*(volatile uint32_t *)0x4000000C)
#define DIER1 (*(volatile uint8_t *)0x4000000D)
static volatile uint32_t x;
void timer(void)
{
    x++;
}
int main(void)
{
    DIER = 0x200;
    uint32_t t = x;
    DIER1 = 2;
    assert(t == x);
    DIER1 = 1;
    t = x;
    assert(t == x);
    return 0;
}
