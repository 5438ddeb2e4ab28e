/* A CRC-8 computed with a 16-entry table, as small devices do, equals its definition bit by bit, for every
   message of up to four bytes. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define POLYNOMIAL 0x07
#define LONGEST 4

uint8_t __VERIFIER_nondet_uchar(void);

static const uint8_t table[16] = {
    0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15, 0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2a, 0x2d,
};

static uint8_t crc8_by_table(const uint8_t *data, size_t length) {
    uint8_t crc = 0;
    while (length--) {
        crc ^= *data++;
        crc = (uint8_t)(crc << 4) ^ table[crc >> 4];
        crc = (uint8_t)(crc << 4) ^ table[crc >> 4];
    }
    return crc;
}

static uint8_t crc8_by_definition(const uint8_t *data, size_t length) {
    uint8_t crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (uint8_t)(crc << 1) ^ POLYNOMIAL : (uint8_t)(crc << 1);
    }
    return crc;
}

int main(void) {
    uint8_t message[LONGEST];
    for (size_t i = 0; i < LONGEST; i++)
        message[i] = __VERIFIER_nondet_uchar();
    size_t length = __VERIFIER_nondet_uchar() % (LONGEST + 1);
    assert(crc8_by_table(message, length) == crc8_by_definition(message, length));
    return 0;
}
