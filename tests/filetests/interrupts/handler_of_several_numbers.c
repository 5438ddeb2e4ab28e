// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: assertion@20
// It comes by either number, and which of them are enabled is not followed.
#include <assert.h>
static volatile int u;
extern unsigned _estack;
void NVIC_EnableIRQ(int number);
static void on_uart(void)
{
    u = 1;
}
__attribute__((section(".vectors"), used)) static void (*const vectors[18])(void) = {
    (void (*)(void))&_estack,
    [16] = on_uart,
    [17] = on_uart,
};
int main(void)
{
    assert(u == 0);
    NVIC_EnableIRQ(1);
    return 0;
}
