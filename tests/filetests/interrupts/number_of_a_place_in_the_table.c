// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.3
// prints: those with the numbers 2 are disabled until `NVIC_EnableIRQ` is called
#include <assert.h>
static volatile int u, v;
extern unsigned _estack;
void NVIC_EnableIRQ(int number);
static void on_uart(void)
{
    u = 1;
}
struct vectors {
    unsigned *stack;
    void (*exceptions[15])(void);
    void (*interrupts[4])(void);
};
__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    &_estack, {0}, {[2] = on_uart}};
int main(void)
{
    assert(u == 0);
    NVIC_EnableIRQ(1);
    assert(u == 0);
    NVIC_EnableIRQ(2);
    assert(u == 0);
    return 0;
}
