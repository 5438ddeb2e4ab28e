// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: HardFault_Handler.assertion.1
// violates: main.assertion.2
// What never returns hides nothing of the runs in which it does not come.
#include <assert.h>
static volatile int on, t;
void HardFault_Handler(void)
{
    assert(on == 0);
    for (;;) {
        t = 1;
    }
}
int main(void)
{
    assert(t == 0);
    on = 1;
    assert(on == 0);
    return 0;
}
