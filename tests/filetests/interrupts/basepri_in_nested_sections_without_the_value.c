// kripke: check --interrupt a --interrupt-register-priority a=0x40 --check assertion
// verdict: violated
// violates: main.assertion.1
/* The inner section ends the outer one. */
#include <assert.h>
#include <stdint.h>
void __set_BASEPRI(uint32_t value);
static volatile int x;
void a(void)
{
    x++;
}
static int get(void)
{
    __set_BASEPRI(0x20);
    int t = x;
    __set_BASEPRI(0);
    return t;
}
int main(void)
{
    __set_BASEPRI(0x40);
    int t = get();
    assert(t == get());
    return 0;
}
