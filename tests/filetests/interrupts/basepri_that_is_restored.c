// kripke: check --interrupt a:1:3 --interrupt-priority-bits 4 --check assertion
// verdict: violated
// violates: main.assertion.2
/* Behind the outer section nothing is masked. */
#include <assert.h>
#include <stdint.h>
void NVIC_SetPriority(int number, uint32_t priority);
uint32_t __get_BASEPRI(void);
void __set_BASEPRI(uint32_t value);
static volatile int x;
void a(void)
{
    x++;
}
int main(void)
{
    NVIC_SetPriority(3, 5);
    uint32_t before = __get_BASEPRI();
    __set_BASEPRI(0x40);
    int t = x;
    assert(t == x);
    __set_BASEPRI(before);
    assert(t == x);
    return 0;
}
