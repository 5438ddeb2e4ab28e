// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.1
// The first entry is a handler: so the numbers are not those of a whole table, and the second is one, too.
#include <assert.h>
static volatile int u, v;
static void on_uart(void)
{
    u = 1;
}
static void on_timer(void)
{
    v = 1;
}
void NVIC_EnableIRQ(int number);
__attribute__((section(".vectors.interrupts"), used)) static void (*const vectors[])(void) = {
    on_uart,
    on_timer,
};
int main(void)
{
    assert(v == 0);
    NVIC_EnableIRQ(-15);
    return 0;
}
