// kripke: check --interrupt tick --target avr --check assertion
// verdict: violated
// violates: assertion@16
// avr-gcc writes the higher of two bytes first.
#include <assert.h>
struct pair {
    unsigned char low, high;
};
static volatile struct pair shared;
#define sei() __asm__ __volatile__("sei" ::: "memory")
void tick(void)
{
    unsigned char low = shared.low;
    unsigned char high = shared.high;
    if (high == 1)
        assert(low == 1);
}
int main(void)
{
    struct pair both = {1, 1};
    sei();
    shared = both;
    return 0;
}
