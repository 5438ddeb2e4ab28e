// kripke: check --interrupt tick --check assertion --target thumbv6m-none-eabi
// verdict: violated
// violates: assertion@14
#include <assert.h>
#include <stdint.h>
static volatile uint64_t t;
void tick(void)
{
    t = t == 0 ? 0x100000001u : 0;
}
int main(void)
{
    uint64_t now = t;
    assert((uint32_t)now == (uint32_t)(now >> 32));
    return 0;
}
