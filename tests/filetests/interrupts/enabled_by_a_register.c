// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
// NVIC_ISER enables, also before NVIC_EnableIRQ does.
#include <assert.h>
#include <stdint.h>
extern unsigned _estack; int main(void);
static volatile int x;
void NVIC_EnableIRQ(int n);
void NVIC_DisableIRQ(int n);
#define ISER (*(volatile uint32_t *)0xE000E100u)
void Reset_Handler(void){ main(); }
static void irq6(void){ x = 1; }
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
 (void (*)(void))&_estack, Reset_Handler, [16+6] = irq6 };
int main(void){
  ISER = 1u << 6;
  x = 0;
  assert(x == 0);   /* violated: irq6 is enabled by ISER */
  NVIC_DisableIRQ(6);
  NVIC_EnableIRQ(6);
  return 0;
}
