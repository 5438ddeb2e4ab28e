// kripke: check --interrupt a:1:3 --interrupt-priority-bits 4 --check assertion
// verdict: violated
// violates: main.assertion.1
/* All priorities are 0 then, which nothing masks. */
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
