// kripke: check --interrupt a --interrupt-register-priority a=0x60 --all --check assertion
// verdict: violated
// violates: assertion@27
/* It neither raises the number nor takes 0. */
#include <assert.h>
#include <stdint.h>
uint32_t __get_BASEPRI(void);
void __set_BASEPRI(uint32_t value);
void __set_BASEPRI_MAX(uint32_t value);
static volatile int x;
void a(void)
{
    x++;
}
int main(void)
{
    __set_BASEPRI_MAX(0x60);
    int t = x;
    __set_BASEPRI_MAX(0x80);
    __set_BASEPRI_MAX(0);
    assert(t == x);
    assert(__get_BASEPRI() == 0x60);
    __set_BASEPRI_MAX(0x40);
    assert(__get_BASEPRI() == 0x40);
    assert(t == x);
    __set_BASEPRI(0x80);
    assert(t == x);
    return 0;
}
