// kripke: check --interrupt tick --interrupt-priority-bits 4 --interrupt-bound 1
// verdict: unknown
// prints: a BASEPRI_MAX of which the device keeps no bit
#include <assert.h>

void __set_BASEPRI(unsigned base);
void __set_BASEPRI_MAX(unsigned base);

static volatile unsigned ticks;

void tick(void)
{
    ticks++;
}

int main(void)
{
    __set_BASEPRI(0x10);
    unsigned before = ticks;
    __set_BASEPRI_MAX(1);
    assert(ticks == before);
    return 0;
}
