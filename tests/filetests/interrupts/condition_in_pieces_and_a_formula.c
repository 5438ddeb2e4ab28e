// kripke: check --interrupt tick --interrupt-if tick:level==0x100 --target avr --check none
// verdict: violated
// ltl: p: G {x == 0}
// violates: p
/* No handler may come before the write, but one may between its pieces. */
#include <stdint.h>
static volatile uint16_t level = 0x1FF;
static volatile uint8_t x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    level = 0;
    for (;;) {
    }
}
