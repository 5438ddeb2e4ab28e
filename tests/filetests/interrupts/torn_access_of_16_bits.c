// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@15
// prints: `tick` writes at torn_access_of_16_bits.c:11 between the 2 pieces of this read
// Told whatever the values are.

#include <stdint.h>
static volatile uint16_t ticks;
void tick(void)
{
    ticks = 0;
}
uint16_t now(void)
{
    return ticks;
}
int main(void)
{
    return now() == 1;
}
