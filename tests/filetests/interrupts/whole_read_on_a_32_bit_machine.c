// kripke: check --interrupt tick --check assertion --target i386
// verdict: holds
#include <assert.h>
#include <stdint.h>
static volatile uint16_t t = 0x00ff;
void tick(void)
{
    t = t == 0x00ff ? 0x0100 : 0x00ff;
}
int main(void)
{
    uint16_t now = t;
    assert(now == 0x00ff || now == 0x0100);
    return 0;
}
