// kripke: check --interrupts --target msp430 --check assertion
// verdict: violated
// violates: assertion@31
// prints: `on_timer` comes at any time
// prints: lies apart from every other object and register, whatever `__at` says
#include <assert.h>

#define TF0_VECTOR 1

__sfr __at(0x80) P0;
__sfr __at(0xA8) IE;
__sbit __at(0xAF) EA;

__xdata __at(0x8000) unsigned char outside[4];
__code static const unsigned char table[] = {1, 2, 3, 4};
__bit is_late;
volatile unsigned char ticks;

void on_timer(void) __interrupt(TF0_VECTOR);

void on_timer(void) __interrupt(TF0_VECTOR) __using(1) {
    ticks++;
    P0 = ticks;
}

int main(void) {
    EA = 1;
    unsigned char before = ticks;
    outside[before & 3] = table[before & 3];
    is_late = before != ticks;
    assert(!is_late);
    return IE;
}
