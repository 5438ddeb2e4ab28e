// kripke: check --interrupt a --interrupt-register-priority a=0x40 --check assertion
// verdict: holds
/* Nested sections by saved values, for ever. */
#include <assert.h>
#include <stdint.h>
uint32_t __get_BASEPRI(void);
void __set_BASEPRI(uint32_t value);
static volatile int x, y;
void a(void)
{
    int next = x == 0;
    x = next;
    y = next;
}
static int same(void)
{
    uint32_t saved = __get_BASEPRI();
    __set_BASEPRI(0x20);
    int t = x, u = y;
    __set_BASEPRI(saved);
    return t == u;
}
int main(void)
{
    for (;;) {
        uint32_t saved = __get_BASEPRI();
        __set_BASEPRI(0x40);
        int t = x;
        assert(same());
        assert(t == x);
        __set_BASEPRI(saved);
    }
}
