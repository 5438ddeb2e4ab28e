// kripke: check --interrupt low:1:3 --interrupt high:2:4
// options: --interrupt-register-priority high=0x40 --all --check assertion --timeout 12s
// verdict: violated
// violates: assertion@25
/* The end of a handler leaves the mask. */
#include <assert.h>
#include <stdint.h>
uint32_t __get_BASEPRI(void);
void __set_BASEPRI(uint32_t value);
static volatile int x, done;
void high(void)
{
    x++;
}
void low(void)
{
    uint32_t before = __get_BASEPRI();
    __set_BASEPRI(0x40);
    int t = x;
    assert(t == x);
    if (before == 0)
        assert(__get_BASEPRI() == 0x40);
    t = x;
    __set_BASEPRI(0);
    assert(t == x);
    __set_BASEPRI(0x20);
    done = 1;
}
int main(void)
{
    while (!done) {
    }
    assert(__get_BASEPRI() == 0x20);
    return 0;
}
