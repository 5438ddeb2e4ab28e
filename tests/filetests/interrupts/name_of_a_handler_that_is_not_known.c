// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: `TC0_Handler` has the name of a handler, but not one that is known: no interrupt calls it
#include <assert.h>
static volatile int x, t;
void SysTick_Handler(void){ t = 1; }
void TC0_Handler(void){ x = 1; }
int main(void){ assert(x == 0); return 0; }
