// kripke: check --target avr --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static volatile struct { uint8_t kind; uint16_t value; } last;
void tick(void)
{
    last.kind = 3;
}
int main(void)
{
    return last.value == 3;
}
