// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
// It calls main on one of its ways only.
#include <assert.h>
static volatile int x, bad;
int main(void);
void SysTick_Handler(void){ x = 1; if (bad) main(); }
void PendSV_Handler(void){ bad = bad; }
int main(void){ assert(x == 0); return 0; }
