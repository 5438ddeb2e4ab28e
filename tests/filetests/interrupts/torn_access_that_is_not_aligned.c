// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@14
// prints: between the 4 pieces of this read

#include <stdint.h>
static volatile struct __attribute__((packed)) { uint8_t kind; uint32_t value; } last;
void tick(void)
{
    last.value = 3;
}
int main(void)
{
    return last.value == 3;
}
