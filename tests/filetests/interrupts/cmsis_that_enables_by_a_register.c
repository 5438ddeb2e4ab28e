// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// What NVIC_EnableIRQ does by itself enables the one number only.
#include <assert.h>
#include <stdint.h>
extern unsigned _estack;
static volatile int x, y;
typedef struct {
    volatile uint32_t ISER[8];
    uint32_t reserved[24];
    volatile uint32_t ICER[8];
} NVIC_Type;
#define NVIC ((NVIC_Type *)0xE000E100u)
static inline void __NVIC_EnableIRQ(int number)
{
    if (number >= 0)
        NVIC->ISER[(uint32_t)number >> 5] = 1u << ((uint32_t)number & 0x1f);
}
static inline void __NVIC_DisableIRQ(int number)
{
    if (number >= 0)
        NVIC->ICER[(uint32_t)number >> 5] = 1u << ((uint32_t)number & 0x1f);
}
static void on_six(void)
{
    x = x + 1;
}
static void on_seven(void)
{
    y = 1;
}
__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack,
    [16 + 6] = on_six,
    on_seven,
};
int main(void)
{
    assert(y == 0);
    __NVIC_EnableIRQ(6);
    assert(y == 0);
    __NVIC_DisableIRQ(6);
    int first = x;
    assert(x == first);
    __NVIC_EnableIRQ(7);
    return 0;
}
