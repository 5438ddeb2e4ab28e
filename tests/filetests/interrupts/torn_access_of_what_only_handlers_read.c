// kripke: check --target avr --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static volatile uint16_t ticks, seen;
void tick(void)
{
    seen = ticks;
}
int main(void)
{
    return ticks == 3;
}
