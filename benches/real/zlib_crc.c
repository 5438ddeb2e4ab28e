// zlib: its CRC-32 of N unknown bytes is the one that divides bit by bit.
#include <assert.h>
#include "zlib.h"

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned bit_by_bit(const unsigned char *bytes, int count) {
    unsigned crc = 0xffffffff;
    for (int i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

int main(void) {
    unsigned char bytes[N];
    for (int i = 0; i < N; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    assert(crc32(0, bytes, N) == bit_by_bit(bytes, N));
    return 0;
}
