// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@13

#include <stdint.h>
static volatile uint16_t limit, seen;
void tick(void)
{
    seen = limit;
}
int main(void)
{
    limit = 500;
    return 0;
}
