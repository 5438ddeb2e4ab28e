// libmodbus: a float survives each of its byte orders, and bits that are packed are unpacked at any place.
// The functions of the operating system that order bytes are given here, for a little-endian machine.
#include <assert.h>
#include <string.h>
#include "modbus.h"

float __VERIFIER_nondet_float(void);
unsigned char __VERIFIER_nondet_uchar(void);

uint32_t htonl(uint32_t host) {
    return host << 24 | (host & 0xff00) << 8 | (host >> 8 & 0xff00) | host >> 24;
}

uint32_t ntohl(uint32_t net) {
    return htonl(net);
}

static void same(float a, float b) {
    assert(memcmp(&a, &b, sizeof a) == 0);
}

int main(void) {
    float number = __VERIFIER_nondet_float();
    uint16_t registers[2];
    modbus_set_float_abcd(number, registers);
    same(number, modbus_get_float_abcd(registers));
    modbus_set_float_dcba(number, registers);
    same(number, modbus_get_float_dcba(registers));
    modbus_set_float_badc(number, registers);
    same(number, modbus_get_float_badc(registers));
    modbus_set_float_cdab(number, registers);
    same(number, modbus_get_float_cdab(registers));

    uint8_t bits[16], byte = __VERIFIER_nondet_uchar();
    int index = __VERIFIER_nondet_uchar() % 9;
    modbus_set_bits_from_byte(bits, index, byte);
    assert(modbus_get_byte_from_bits(bits, index, 8) == byte);
    return 0;
}
