// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
static volatile int x;
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
static void irqa(void){ x = 1; }
static void irqb(void){ x = 2; }
__attribute__((section(".isr_vector"), used)) void (*const v1[])(void) = {
 (void (*)(void))&_estack, Reset_Handler, [16+6] = irqa };
__attribute__((section(".app_vectors"), used)) void (*const v2[])(void) = {
 (void (*)(void))&_estack, Reset_Handler, [16+6] = irqb };
int main(void){ assert(x != 2); return 0; }
