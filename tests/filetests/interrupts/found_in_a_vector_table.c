// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.1
// prints: `on_tick` (priority 1, number -1), `on_uart` (priority 1, number 0) come at any time
// The first entry is the end of the stack, the second runs after a reset and calls main.
#include <assert.h>
static volatile int t, u, resets;
extern unsigned _estack;
int main(void);
void Reset_Handler(void)
{
    resets++;
    main();
    for (;;) {
    }
}
static void on_tick(void)
{
    t = 1;
}
static void on_uart(void)
{
    u = 1;
}
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack, Reset_Handler, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, on_tick, on_uart,
};
int main(void)
{
    assert(t == 0);
    assert(resets == 0);
    return 0;
}
