/* A lamp whose brightness somebody sets in percent. The function says what it needs, and what it gives. */

#include <stdint.h>

uint8_t __VERIFIER_nondet_uchar(void);

uint16_t scaled(uint16_t full, uint8_t percent)
    __CPROVER_requires(percent <= 100)
    __CPROVER_ensures(__CPROVER_return_value <= __CPROVER_old(full))
{
    return (uint32_t)full * percent / 100;
}

int main(void)
{
    uint8_t wanted = __VERIFIER_nondet_uchar();
    uint16_t duty = scaled(1023, wanted);
    return duty > 1023;
}
