// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
#include <assert.h>
typedef enum { TIM1_IRQn = 5, TIM9_IRQn = 5 } IRQn_Type;
static volatile int x; 
void NVIC_EnableIRQ(IRQn_Type n);
void TIM1_IRQHandler(void){ x = 1; }
void TIM9_IRQHandler(void){ x = 2; }
int main(void){ NVIC_EnableIRQ(TIM1_IRQn); NVIC_EnableIRQ(TIM9_IRQn); assert(x == 0); return 0; }
