// kripke: check --target avr --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static volatile uint16_t cells[2];
static void set(volatile uint16_t *cell)
{
    *cell = 3;
}
void tick(void)
{
    set(&cells[0]);
}
int main(void)
{
    return cells[1] == 4;
}
