// kripke: check
// verdict: violated
// violates: assertion@23

#include <assert.h>
#include <stdint.h>
uint8_t nondet_uchar(void);

static uint8_t percent(uint8_t part, uint8_t whole)
{
    assert(whole != 0 && part <= whole);
    uint8_t result = (uint8_t)(part * 100 / whole);
    assert(result <= 100);
    return result;
}

int main(void)
{
    uint8_t whole = nondet_uchar(), part = nondet_uchar();
    if (part <= whole && whole > 0)
        percent(part, whole);
    uint8_t scaled = (uint8_t)(part * 100);
    assert(scaled / 100 == part);
    return 0;
}
