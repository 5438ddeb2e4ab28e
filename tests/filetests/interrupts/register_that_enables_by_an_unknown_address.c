// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
// A byte of NVIC_ISER, by an address that is computed.
#include <assert.h>
#include <stdint.h>
extern unsigned _estack;
static volatile int x;
void NVIC_DisableIRQ(int number);
uint32_t offset(void);
static void on_six(void)
{
    x = 1;
}
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack,
    [16 + 6] = on_six,
};
int main(void)
{
    NVIC_DisableIRQ(6);
    x = 0;
    volatile uint8_t *byte = (volatile uint8_t *)0xE000E100u + (offset() & 3);
    *byte = 0x40;
    assert(x == 0);
    return 0;
}
