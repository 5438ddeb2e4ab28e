// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.1
// Its entries are no numbers: two objects stand there.
#include <assert.h>
static volatile int x, y; static int uart_context, spi_context;
static void uart_isr(void){ x = 1; }
static void spi_isr(void){ y = 1; }
__attribute__((section(".sw_vectors"), used)) static const struct {
 void *context; void (*isr)(void); } table[] = {
 { &uart_context, uart_isr }, { &spi_context, spi_isr } };
int main(void){ assert(x == 0); return 0; }
