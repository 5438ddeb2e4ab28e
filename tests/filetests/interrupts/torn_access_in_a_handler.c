// kripke: check --target avr --interrupt low:1 --interrupt high:2 --check torn-access
// verdict: violated
// violates: torn-access@13

#include <stdint.h>
static volatile uint16_t count;
void high(void)
{
    count = 1;
}
void low(void)
{
    count = 2;
}
int main(void)
{
    return 0;
}
