// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned char nondet_uchar(void);

union status {
    uint8_t byte;
    struct {
        uint8_t low : 4;
        uint8_t high : 4;
    } half;
};

int main(void)
{
    union status s;
    s.byte = nondet_uchar();
    assert(s.half.low == (s.byte & 15));
    assert(s.half.high == s.byte >> 4);
    s.half.high = 0;
    assert(s.byte < 16);
    return 0;
}
