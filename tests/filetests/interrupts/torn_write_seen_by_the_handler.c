// kripke: check --interrupt look --check assertion --target avr
// verdict: violated
// violates: assertion@9
#include <assert.h>
#include <stdint.h>
static volatile uint16_t t = 0x00ff;
void look(void)
{
    assert(t == 0x00ff || t == 0x0100);
}
int main(void)
{
    t = 0x0100;
    return 0;
}
