// kripke: check --interrupt a:1:3 --interrupt b:1:4 --interrupt-priority-bits 4 --all --check assertion
// verdict: violated
// violates: assertion@31
/* The priority b has is smaller than the mask. */
#include <assert.h>
#include <stdint.h>
void NVIC_SetPriority(int number, uint32_t priority);
uint32_t __get_BASEPRI(void);
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
    NVIC_SetPriority(3, 5);
    NVIC_SetPriority(4, 4);
    uint32_t outer = __get_BASEPRI();
    __set_BASEPRI(5 << 4);
    uint32_t inner = __get_BASEPRI();
    __set_BASEPRI(5 << 4);
    int t = x, u = y;
    __set_BASEPRI(inner);
    assert(t == x);
    assert(outer == 0 && inner == 0x50);
    assert(u == y);
    __set_BASEPRI(outer);
    return 0;
}
