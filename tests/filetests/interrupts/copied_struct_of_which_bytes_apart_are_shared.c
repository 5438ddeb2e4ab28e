// kripke: check --interrupt tick --target avr --check assertion
// verdict: violated
// violates: assertion@13
// Between the two bytes that the handler reads it comes, also among others that it does not.
#include <assert.h>
struct record {
    unsigned char x[9];
};
static struct record shared;
#define sei() __asm__ __volatile__("sei" ::: "memory")
void tick(void)
{
    assert(shared.x[2] == 1 || shared.x[6] == 0);
}
int main(void)
{
    struct record own = {{1, 1, 1, 1, 1, 1, 1, 1, 1}};
    sei();
    shared = own;
    return 0;
}
