// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: `ResetISR` runs after a reset: no interrupt calls it
#include <assert.h>
static volatile int x, t;
extern unsigned _estack;
void start_of_the_program(void);
static void ResetISR(void)
{
    x = 1;
    start_of_the_program();
}
static void on_tick(void)
{
    t = 1;
}
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack,
    ResetISR,
    [15] = on_tick,
};
int main(void)
{
    assert(x == 0);
    return 0;
}
