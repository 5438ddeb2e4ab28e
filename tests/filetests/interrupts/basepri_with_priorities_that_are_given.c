// kripke: check --interrupt a --interrupt b --interrupt-register-priority a=0x40 --check assertion
// verdict: violated
// violates: main.assertion.2
/* Without a number, too; of b nothing is given. */
#include <assert.h>
#include <stdint.h>
void __set_BASEPRI(uint32_t value);
static volatile int x, y;
void a(void)
{
    x++;
}
void b(void)
{
    y++;
}
int main(void)
{
    __set_BASEPRI(0x40);
    int t = x, u = y;
    assert(t == x);
    assert(u == y);
    return 0;
}
