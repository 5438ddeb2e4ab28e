// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@16

#include <stdint.h>
static volatile uint16_t cells[4];
static volatile uint8_t next;
void tick(void)
{
    cells[next & 3] = 3;
}
int main(void)
{
    next = 2;
    __asm__ volatile("sei");
    return cells[2] == 4;
}
