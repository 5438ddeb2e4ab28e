// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned char nondet_uchar(void);

static uint8_t crc8(const uint8_t *data, unsigned length)
{
    uint8_t crc = 0;
    for (unsigned i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (uint8_t)(crc << 1 ^ 0x07) : (uint8_t)(crc << 1);
    }
    return crc;
}

int main(void)
{
    uint8_t message[3] = {nondet_uchar(), nondet_uchar(), 0};
    message[2] = crc8(message, 2);
    assert(crc8(message, 3) == 0);
    message[0] ^= 0x10;
    assert(crc8(message, 3) != 0);
    return 0;
}
