// kripke: check --interrupt tick --check assertion
// verdict: violated
// violates: assertion@17
#include <assert.h>
#include <stdint.h>
static int x;
static uintptr_t address;
void tick(void)
{
    if (address)
        *(int *)address = 1;
}
int main(void)
{
    address = (uintptr_t)&x;
    x = 0;
    assert(x == 0);
    return 0;
}
