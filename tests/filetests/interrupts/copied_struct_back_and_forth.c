// kripke: check --interrupt tick --target avr --check assertion
// verdict: violated
// violates: assertion@14
// avr-gcc writes the bytes 0 1 2 3 5 4: four upwards, then two downwards.
#include <assert.h>
struct record {
    unsigned long x;
    unsigned y;
};
static volatile struct record shared;
#define sei() __asm__ __volatile__("sei" ::: "memory")
void tick(void)
{
    assert(shared.x != 0x01010101 || shared.y != 0x0100);
}
int main(void)
{
    struct record own = {0x01010101, 0x0101};
    sei();
    shared = own;
    return 0;
}
