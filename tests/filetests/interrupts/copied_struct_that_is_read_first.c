// kripke: check --interrupt tick --target avr --check assertion
// verdict: violated
// violates: assertion@25
// Both bytes are read before one is written: the handler sees nothing of the copy, and the copy nothing of
// what the handler wrote.
#include <assert.h>
struct pair {
    unsigned char low, high;
};
static volatile struct pair from, to = {5, 5};
static volatile unsigned char is_untouched, count;
#define sei() __asm__ __volatile__("sei" ::: "memory")
void tick(void)
{
    is_untouched = to.low == 5 && to.high == 5;
    from.low = 1;
    from.high = 1;
    count = 1;
}
int main(void)
{
    sei();
    to = from;
    __asm__ __volatile__("cli" ::: "memory");
    assert(!is_untouched || count == 0 || to.low == 1 || to.high == 1);
    return 0;
}
