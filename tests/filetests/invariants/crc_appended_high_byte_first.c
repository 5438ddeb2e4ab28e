// kripke: check
// verdict: violated
// violates: assertion@32
// Here it is appended high byte first.
#include <stddef.h>
#include <stdint.h>
size_t __VERIFIER_nondet_size_t(void);
uint8_t __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static uint8_t frame[300];

static uint16_t crc_of(const uint8_t *data, size_t length) {
    uint16_t crc = 0xffff;
    while (length--) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
    }
    return crc;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t();
    if (length > sizeof frame - 2)
        return 0;
    for (size_t i = 0; i < length; i++)
        frame[i] = __VERIFIER_nondet_uchar();
    uint16_t crc = crc_of(frame, length);
    frame[length] = crc >> 8;
    frame[length + 1] = crc & 0xff;
    __VERIFIER_assert(crc_of(frame, length + 2) == 0);
}
