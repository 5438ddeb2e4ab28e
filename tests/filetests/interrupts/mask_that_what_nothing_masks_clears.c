// kripke: check --interrupt NMI_Handler:2:-14 --check assertion --target thumbv7m-none-eabi
// verdict: violated
// violates: assertion@16
/* It comes while interrupts are disabled, and enables them. */
#include <assert.h>
unsigned __get_PRIMASK(void);
void __disable_irq(void);
void __enable_irq(void);
void NMI_Handler(void)
{
    __enable_irq();
}
int main(void)
{
    __disable_irq();
    assert(__get_PRIMASK() == 1);
    return 0;
}
