// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
#include <assert.h>
static volatile int x;
void real(void){ x = 1; x = 0; }
void NMI_Handler(void){ __asm__ volatile("b .\n"); }
__attribute__((naked)) void PendSV_Handler(void){ __asm__ volatile("b real\n"); }
int main(void){ int v = x; assert(v == 0); return 0; }
