// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@17
// prints: between the 2 pieces of this read

#include <stdint.h>
static volatile uint64_t time;
static volatile uint32_t low;
void tick(void)
{
    time++;
    low++;
}
int main(void)
{
    uint32_t whole = low;
    return time == whole;
}
