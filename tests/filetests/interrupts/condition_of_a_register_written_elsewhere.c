// kripke: check --interrupt timer --interrupt-if timer:DIER&1 --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
/* The address is computed. */
#include <assert.h>
#include <stdint.h>
#define DIER (*(volatile uint32_t *)0x4000000C)
static volatile uint8_t x;
uint8_t any(void);
void timer(void)
{
    x++;
}
int main(void)
{
    ((volatile uint32_t *)0x40000000)[any() & 3] = 1;
    uint8_t t = x;
    assert(t == x);
    return 0;
}
