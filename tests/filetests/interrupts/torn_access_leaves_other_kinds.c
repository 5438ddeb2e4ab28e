// kripke: check --target avr --interrupt tick --check assertion,torn-access --all
// verdict: violated
// violates: torn-access@15
// violates: assertion@16

#include <assert.h>
#include <stdint.h>
static volatile uint16_t ticks;
void tick(void)
{
    ticks = 0x101;
}
int main(void)
{
    uint16_t seen = ticks;
    assert(seen == 0 || seen == 0x101);
    return 0;
}
