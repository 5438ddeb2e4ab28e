// kripke: check --target avr --interrupt tick --check atomicity --interrupt-bound 1
// verdict: violated
// violates: atomicity@13

#include <stdint.h>
static volatile uint16_t count;
void tick(void)
{
    count++;
}
int main(void)
{
    count--;
    return 0;
}
