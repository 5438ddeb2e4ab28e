// kripke: check --interrupt a:1:3
// options: --interrupt-register-priority a=0xf0 --interrupt-priority-bits 4 --check assertion
// verdict: violated
// violates: main.assertion.2
/* The device keeps nothing of 5. */
#include <assert.h>
#include <stdint.h>
uint32_t __get_BASEPRI(void);
void __set_BASEPRI(uint32_t value);
static volatile int x;
void a(void)
{
    x++;
}
int main(void)
{
    __set_BASEPRI(5);
    int t = x;
    assert(__get_BASEPRI() == 0);
    assert(t == x);
    return 0;
}
