// kripke: check --target mips-linux-gnu
// verdict: violated
// violates: assertion@19

#include <assert.h>
#include <stdint.h>
#include <string.h>

static uint16_t read_little_endian(const uint8_t *p)
{
    uint16_t value;
    memcpy(&value, p, 2);
    return value;
}

int main(void)
{
    uint8_t packet[2] = {0x34, 0x12};
    assert(read_little_endian(packet) == 0x1234);
    return 0;
}
