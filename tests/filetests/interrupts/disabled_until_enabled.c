// kripke: check --interrupt tick --check assertion --target avr --all
// verdict: violated
// violates: main.assertion.2
#include <assert.h>
static volatile unsigned char t;
void tick(void)
{
    t = 1;
}
int main(void)
{
    assert(t == 0);
    __asm__ __volatile__("sei");
    assert(t == 0);
    return 0;
}
