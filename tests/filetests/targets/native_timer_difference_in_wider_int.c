// kripke: check
// verdict: violated
// violates: assertion@13

#include <assert.h>
#include <stdint.h>
uint16_t nondet_ushort(void);

int main(void)
{
    uint16_t start = nondet_ushort(), now = nondet_ushort();
    int elapsed = now - start;
    assert(elapsed >= 0);
    return 0;
}
