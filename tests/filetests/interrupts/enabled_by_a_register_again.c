// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
#include <stdint.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int x;
void NVIC_DisableIRQ(int n);
#define ISER (*(volatile uint32_t *)0xE000E100u)
static void irq6(void){ x = 1; }
VEC static void (*const vectors[])(void) = { STK, Reset_Handler, [16+6] = irq6 };
int main(void){
  uint32_t saved = ISER;
  NVIC_DisableIRQ(6);
  x = 0;
  ISER = saved | 1u << 6;
  assert(x == 0);
  return 0;
}
