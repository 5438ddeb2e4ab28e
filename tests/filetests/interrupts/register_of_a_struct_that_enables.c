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
typedef struct { volatile uint32_t ISER[8]; uint32_t r0[24]; volatile uint32_t ICER[8]; } NVIC_Type;
#define NVIC ((NVIC_Type *)0xE000E100u)
static inline void NVIC_EnableIRQ(int n){ NVIC->ISER[(uint32_t)n >> 5] = 1u << ((uint32_t)n & 31); }
static inline void NVIC_DisableIRQ(int n){ NVIC->ICER[(uint32_t)n >> 5] = 1u << ((uint32_t)n & 31); }
static void irq6(void){ x = 1; }
VEC static void (*const vectors[])(void) = { STK, Reset_Handler, [16+6] = irq6 };
int main(void){
  NVIC_EnableIRQ(6);
  for (;;) {
    NVIC->ICER[0] = 1u << 6; x = 0; 
    NVIC_DisableIRQ(6); x = 0; NVIC->ISER[0] = 1u << 6;
    assert(x == 0);
  }
}
