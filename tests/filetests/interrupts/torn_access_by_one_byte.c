// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@13

#include <stdint.h>
static volatile union { uint16_t whole; uint8_t bytes[2]; } last;
void tick(void)
{
    last.bytes[1] = 3;
}
int main(void)
{
    return last.whole == 3;
}
