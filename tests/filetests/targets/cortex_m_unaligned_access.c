// kripke: check --target thumbv6m-none-eabi
// verdict: violated
// violates: pointer@11

#include <stdint.h>

int main(void)
{
    _Alignas(4) uint8_t packet[8] = {0};
    uint32_t *field = (uint32_t *)&packet[2];
    return (int)*field;
}
