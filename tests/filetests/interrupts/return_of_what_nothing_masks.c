// kripke: check --interrupts --target arm-none-eabi --check assertion
// verdict: holds
// The mask is restored when it returns, and set before.
#include <assert.h>
static volatile int x, n;
void __disable_irq(void); void __enable_irq(void);
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
static void nmi(void){ __disable_irq(); n = n + 1; }
static void tick(void){ x = 1; }
__attribute__((section(".isr_vector"), used)) void (*const v1[])(void) = {
 (void (*)(void))&_estack, Reset_Handler, nmi, [16+6] = tick };
int main(void){ __disable_irq(); n = 0; x = 0; n = 1; int v = x; assert(v == 0); return 0; }
