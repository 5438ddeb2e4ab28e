// kripke: check --target avr --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static volatile uint8_t ticks;
void tick(void)
{
    ticks++;
}
int main(void)
{
    return ticks;
}
