// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// A word written to NVIC_ISER enables those whose bits are set.
#include <assert.h>
#include <stdint.h>
extern unsigned _estack;
static volatile int x, y;
void NVIC_EnableIRQ(int number);
static volatile uint32_t *const enable = (volatile uint32_t *)0xE000E100u;
static void on_six(void)
{
    x = 1;
}
static void on_forty(void)
{
    y = 1;
}
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack,
    [16 + 6] = on_six,
    [16 + 40] = on_forty,
};
int main(void)
{
    enable[1] = 1u << 8;
    enable[0] = 1u << 7;
    assert(x == 0);
    NVIC_EnableIRQ(6);
    NVIC_EnableIRQ(40);
    return 0;
}
