// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: PendSV_Handler.assertion.1
// violates: main.assertion.1
// prints: `NMI_Handler` (priority 3, number -14), `PendSV_Handler` (priority 1, number -2) come
#include <assert.h>
static volatile int t, u;
void __disable_irq(void);
void NMI_Handler(void)
{
    t = 0;
}
void PendSV_Handler(void)
{
    u = 0;
    t = 1;
    assert(t == 1);
}
int main(void)
{
    __disable_irq();
    t = 1;
    u = 1;
    assert(t == 1);
    assert(u == 1);
    return 0;
}
