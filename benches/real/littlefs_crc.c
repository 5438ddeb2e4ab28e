// littlefs: its table-driven CRC-32 of N unknown bytes is the one that divides bit by bit.
#include <assert.h>
#include "lfs_util.h"

uint8_t __VERIFIER_nondet_uchar(void);

static uint32_t bit_by_bit(uint32_t crc, const uint8_t *bytes, int count) {
    for (int i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
    }
    return crc;
}

int main(void) {
    uint8_t bytes[N];
    for (int i = 0; i < N; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    assert(lfs_crc(0xffffffff, bytes, N) == bit_by_bit(0xffffffff, bytes, N));
    return 0;
}
