// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: Default_Handler.assertion.1
// prints: `Default_Handler` (priority 1, number 6)
// As the handler of a fault it interrupts itself.
#include <assert.h>
static volatile int x;
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
void Default_Handler(void){ x++; assert(x == 1); x--; }
__attribute__((section(".isr_vector"), used)) void (*const v1[])(void) = {
 (void (*)(void))&_estack, Reset_Handler, Default_Handler, Default_Handler, [16+6] = Default_Handler };
int main(void){ for(;;); return 0; }
