// kripke: check --interrupt a:1:3 --interrupt-register-priority a=0xff --check assertion --interrupt-bound 1
// verdict: unknown
/* A device with three bits keeps nothing of this mask. */
#include <assert.h>
#include <stdint.h>
void __set_BASEPRI(uint32_t value);
static volatile int x;
void a(void)
{
    x++;
}
int main(void)
{
    __set_BASEPRI(0x10);
    int t = x;
    assert(t == x);
    return 0;
}
