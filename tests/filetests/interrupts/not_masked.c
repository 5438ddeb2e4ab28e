// kripke: check --interrupt NMI_Handler:2:-14 --check assertion --target thumbv6m-none-eabi
// verdict: violated
// violates: main.assertion.1
/* Nothing disables it. */
#include <assert.h>
static volatile int x;
void NMI_Handler(void)
{
    x = 1;
}
int main(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
    int a = x;
    assert(a == x);
    return 0;
}
