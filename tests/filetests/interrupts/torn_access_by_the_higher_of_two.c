// kripke: check --target avr --interrupt low:1 --interrupt high:2 --check torn-access
// verdict: violated
// violates: torn-access@19
// prints: `high` writes at

#include <stdint.h>
static volatile uint16_t count;
static volatile uint8_t other;
void high(void)
{
    count = 1;
}
void low(void)
{
    other = 2;
}
int main(void)
{
    return count == 1;
}
