// kripke: check --interrupt tick --target avr --check assertion
// verdict: holds
// Whatever the order, each byte is the old or the new one.
#include <assert.h>
struct pair {
    unsigned char low, high;
};
static volatile struct pair from = {3, 4}, to = {1, 2};
#define sei() __asm__ __volatile__("sei" ::: "memory")
void tick(void)
{
    unsigned char low = to.low;
    unsigned char high = to.high;
    assert(low == 1 || low == 3);
    assert(high == 2 || high == 4);
}
int main(void)
{
    sei();
    to = from;
    assert(to.low == 3 && to.high == 4);
    return 0;
}
