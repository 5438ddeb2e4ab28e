// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
// prints: `uart_isr` (priority 1), `spi_isr` (priority 3, number -14), `spi_isr` (priority 1) come
// It begins like the table of a processor, but its second entry is nothing that runs after a reset.
#include <assert.h>
static volatile int x, y;
static int context;
static void uart_isr(void)
{
    x = 1;
}
static void spi_isr(void)
{
    y = y + 1;
}
__attribute__((section(".sw_vectors"), used)) static const struct {
    void *context;
    void (*first)(void), (*second)(void);
} table = {&context, uart_isr, spi_isr};
int main(void)
{
    assert(x == 0);
    return 0;
}
