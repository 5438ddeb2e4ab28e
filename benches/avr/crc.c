/* Endless work for the concrete core: checksums over a table. */
#include <avr/io.h>
#include <stdint.h>
volatile uint16_t out;
static uint8_t table[256];
int main(void) {
    for (;;) {
        uint16_t crc = 0xFFFF;
        for (int i = 0; i < 256; i++) { table[i] = i * 7 + (crc & 0xFF); crc ^= table[i];
            for (uint8_t b = 0; b < 8; b++) crc = (crc & 1) ? (crc >> 1) ^ 0xA001 : crc >> 1; }
        out = crc;
    }
}
