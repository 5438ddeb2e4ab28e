// kripke: check --interrupts --target avr --check assertion
// verdict: holds
// prints: interrupts are disabled until `SREG` enables them
#include <assert.h>
#include <stdint.h>
#define SREG (*(volatile uint8_t *)0x5f)
static volatile uint8_t x;
void __vector_1(void) __attribute__((signal));
void __vector_1(void){ x = 1; }
int main(void){ assert(x == 0); SREG |= 0x80; return 0; }
