// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@17

#include <stdint.h>
static volatile uint16_t first, second;
static volatile uint16_t *shared;
void tick(void)
{
    *shared = 3;
}
int main(int argc, char **argv)
{
    (void)argv;
    shared = argc > 1 ? &first : &second;
    __asm__ volatile("sei");
    uint16_t seen = second;
    return seen == 4;
}
