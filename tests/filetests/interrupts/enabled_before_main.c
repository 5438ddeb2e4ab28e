// kripke: check --interrupts --target avr --check assertion
// verdict: violated
// violates: main.assertion.1
// prints: `init` runs before `main`
#include <assert.h>
static volatile int x;
#define sei() __asm__ volatile("sei")
#define cli() __asm__ volatile("cli")
void __vector_1(void) __attribute__((signal));
void __vector_1(void){ x = 1; }
__attribute__((naked, used, section(".init8"))) void init(void){ sei(); }
int main(void){ int v = x; assert(v == 0); cli(); x = 0; sei(); return 0; }
