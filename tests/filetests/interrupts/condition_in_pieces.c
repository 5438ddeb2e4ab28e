// kripke: check --interrupt tick --interrupt-if tick:level==0x100 --target avr --check assertion
// verdict: violated
// violates: main.assertion.1
/* An 8-bit machine writes it in two pieces, between which the condition may be true. */
#include <assert.h>
#include <stdint.h>
static volatile uint16_t level = 0x1FF;
static volatile uint8_t x;
void tick(void)
{
    x++;
}
int main(void)
{
    level = 0;
    assert(x == 0);
    return 0;
}
