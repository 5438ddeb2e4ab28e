// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

union word {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
};

int main(void)
{
    union word w;
    w.whole = nondet_uint();
    assert(w.half[0] == (w.whole & 0xffff));
    assert(w.byte[3] == w.whole >> 24);
    w.byte[0] ^= 1;
    assert((w.whole & 1) == (w.byte[0] & 1));
    return 0;
}
