// kripke: check --interrupt a:1:3 --check assertion
// verdict: violated
// violates: main.assertion.1
/* Who does not say how many bits a device keeps does not know what the function makes of a priority. */
#include <assert.h>
#include <stdint.h>
void NVIC_SetPriority(int number, uint32_t priority);
void __set_BASEPRI(uint32_t value);
static volatile int x;
void a(void)
{
    x++;
}
int main(void)
{
    NVIC_SetPriority(3, 5);
    __set_BASEPRI(0x40);
    int t = x;
    assert(t == x);
    return 0;
}
