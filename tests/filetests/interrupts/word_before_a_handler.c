// kripke: check --interrupts --target msp430 --check assertion
// verdict: violated
// violates: assertion@19
// prints: `on_timer` comes at any time
#include <assert.h>

#define TIMER0_A0_VECTOR 9

volatile unsigned ticks;

#pragma vector = TIMER0_A0_VECTOR
static __interrupt void on_timer(void) {
    ticks++;
}

int main(void) {
    __asm__("eint");
    unsigned before = ticks;
    assert(before == ticks);
    return 0;
}
