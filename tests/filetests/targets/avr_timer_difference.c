// kripke: check --target avr
// verdict: holds
// Unsigned subtraction of 16-bit ticks survives the wrap.

#include <assert.h>
#include <stdint.h>
uint16_t nondet_ushort(void);

int main(void)
{
    uint16_t start = nondet_ushort(), elapsed = nondet_ushort();
    uint16_t now = start + elapsed;
    assert((uint16_t)(now - start) == elapsed);
    return 0;
}
