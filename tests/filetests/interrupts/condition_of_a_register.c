// kripke: check --interrupt timer --interrupt-if timer:*(reg*)0x59&1 --target avr --check assertion --all
// verdict: violated
// violates: assertion@27
/* The mask of the timer. */
#include <assert.h>
#include <stdint.h>
#define TIMSK (*(volatile uint8_t *)0x59)
typedef volatile uint8_t reg;
static volatile uint8_t x;
void timer(void)
{
    x++;
}
int main(void)
{
    uint8_t t = x;
    assert(t == x);
    TIMSK |= 2;
    t = x;
    assert(t == x);
    TIMSK |= 1;
    TIMSK &= (uint8_t)~1;
    t = x;
    assert(t == x);
    TIMSK = 3;
    t = x;
    assert(t == x);
    return 0;
}
