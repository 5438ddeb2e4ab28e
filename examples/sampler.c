/* A Cortex-M with a table of vectors: SysTick takes samples, and a button ends them. The handlers are found
 * by their places in the table; those that only loop come to nothing.
 *
 * A sample is stored twice, so that a fault of the memory is seen. The handler may come between the two
 * reads; with FIXED it is disabled meanwhile. */
#include <assert.h>
#include <stdint.h>

#define BUTTON 6 /* the number of the button's interrupt */

void NVIC_EnableIRQ(int number);
void __disable_irq(void);
void __enable_irq(void);
uint16_t converted(void);

static volatile uint16_t value, copy;
static volatile uint8_t ended;

void SysTick_Handler(void)
{
    uint16_t sample = converted();
    value = sample;
    copy = sample;
}

static void on_button(void)
{
    ended = 1;
}

void Default_Handler(void)
{
    for (;;) {
    }
}

void NMI_Handler(void) __attribute__((weak, alias("Default_Handler")));
void HardFault_Handler(void) __attribute__((weak, alias("Default_Handler")));

extern uint32_t end_of_stack;
int main(void);

void Reset_Handler(void)
{
    main();
    Default_Handler();
}

__attribute__((section(".isr_vector"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&end_of_stack,
    Reset_Handler,
    NMI_Handler,
    HardFault_Handler,
    [15] = SysTick_Handler,
    [16 + BUTTON] = on_button,
};

int main(void)
{
    assert(!ended);
    NVIC_EnableIRQ(BUTTON);
    while (!ended) {
#ifdef FIXED
        __disable_irq();
#endif
        uint16_t sample = value, second = copy;
#ifdef FIXED
        __enable_irq();
#endif
        assert(sample == second);
        __asm__ volatile("wfi");
    }
    return 0;
}
