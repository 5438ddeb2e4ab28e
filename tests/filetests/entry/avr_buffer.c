// kripke: check --target avr --entry checksum --entry-objects 16
// verdict: holds

#include <assert.h>
#include <stdint.h>

uint8_t checksum(const uint8_t *data, uint8_t length)
{
    uint8_t sum = 0;
    if (!data || length > 16)
        return 0;
    while (length-- > 0)
        sum ^= data[length];
    return sum;
}
