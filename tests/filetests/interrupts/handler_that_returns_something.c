// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: `SysTick_Handler` takes parameters or returns something: no interrupt calls it
#include <assert.h>
static volatile int x, t;
int SysTick_Handler(void){ x = 1; return 0; }
void PendSV_Handler(void){ t = 1; }
int main(void){ assert(x == 0); return 0; }
