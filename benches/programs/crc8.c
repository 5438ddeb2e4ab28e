/* The table-driven CRC-8 of N unknown bytes equals the bitwise one. */
#include <assert.h>
#ifndef N
#define N 2
#endif
unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char table[16];

static unsigned char shift(unsigned char crc, int bits) {
    for (int i = 0; i < bits; i++)
        crc = crc & 0x80 ? (unsigned char)(crc << 1 ^ 0x07) : (unsigned char)(crc << 1);
    return crc;
}

int main(void) {
    for (int i = 0; i < 16; i++)
        table[i] = shift((unsigned char)(i << 4), 4);
    unsigned char bitwise = 0, by_table = 0;
    for (int i = 0; i < N; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        bitwise = shift(bitwise ^ byte, 8);
        by_table ^= byte;
        by_table = table[by_table >> 4] ^ (unsigned char)(by_table << 4);
        by_table = table[by_table >> 4] ^ (unsigned char)(by_table << 4);
    }
    assert(bitwise == by_table);
    return 0;
}
