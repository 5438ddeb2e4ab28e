// kripke: check --interrupt tick --check assertion --target avr
// verdict: violated
// violates: assertion@15
/* A handler that leaves the flag cleared may come between two reads of it. */
#include <assert.h>
#define SREG (*(volatile unsigned char *)0x5f)
void tick(void)
{
    __asm__ volatile("cli");
}
int main(void)
{
    __asm__ volatile("sei");
    unsigned char first = SREG & 0x80;
    assert(first == (SREG & 0x80));
    return 0;
}
