// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@14

#include <stdint.h>
static volatile struct { uint8_t kind; uint16_t value; } last;
void tick(void)
{
    last.value = 3;
}
int main(void)
{
    last.kind = 1;
    return last.value == 3;
}
