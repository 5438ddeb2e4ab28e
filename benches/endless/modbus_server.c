// verdict: holds
// A Modbus RTU server: frames byte by byte, a CRC, reading and writing of holding registers.
#include <assert.h>
#include <stdint.h>

#define ADDRESS 17
#define REGISTERS 20u
#define FRAME 32u

enum { READ_REGISTERS = 3, WRITE_REGISTER = 6, WRITE_REGISTERS = 16 };

extern int16_t uart_receive(void); /* Negative: the line is silent, the frame has ended. */
extern void uart_send(uint8_t byte);

static uint8_t frame[FRAME];
static uint8_t length;
static uint16_t registers[REGISTERS];

static uint16_t crc16(const uint8_t *data, uint8_t count) {
    uint16_t crc = 0xffff;
    while (count-- > 0) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (uint16_t)(crc >> 1 ^ 0xa001) : crc >> 1;
    }
    return crc;
}

static uint16_t word(uint8_t at) {
    assert(at + 1 < length);
    return (uint16_t)(frame[at] << 8 | frame[at + 1]);
}

static void read_registers(uint16_t from, uint16_t count) {
    if (count == 0 || from >= REGISTERS || count > REGISTERS - from)
        return;
    for (uint16_t i = from; i < from + count; i++) {
        uart_send(registers[i] >> 8);
        uart_send(registers[i] & 0xff);
    }
}

static void write_registers(uint16_t from, uint16_t count) {
    if (from >= REGISTERS || count > REGISTERS - from)
        return;
    if (length != 9 + 2 * count || frame[6] != 2 * count)
        return;
    for (uint8_t i = 0; i < count; i++)
        registers[from + i] = word(7 + 2 * i) & 0x7fff;
}

static void serve(void) {
    if (length < 8 || frame[0] != ADDRESS)
        return;
    if (crc16(frame, length - 2) != (frame[length - 2] | frame[length - 1] << 8))
        return;
    if (frame[1] == READ_REGISTERS)
        read_registers(word(2), word(4));
    else if (frame[1] == WRITE_REGISTER && word(2) < REGISTERS)
        registers[word(2)] = word(4) & 0x7fff;
    else if (frame[1] == WRITE_REGISTERS)
        write_registers(word(2), word(4));
}

int main(void) {
    uint8_t probe = 0;
    for (;;) {
        int16_t byte = uart_receive();
        if (byte < 0) {
            serve();
            length = 0;
        } else if (length < FRAME) {
            frame[length++] = (uint8_t)byte;
        }
        assert(registers[probe] < 0x8000);
        probe = (uint8_t)((probe + 1u) % REGISTERS);
    }
}
