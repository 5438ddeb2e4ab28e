// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: assertion@22
// prints: `vectors` can be written to: handlers that only the program puts there do not come
#include <assert.h>
static volatile int t, u;
extern unsigned _estack;
static void on_uart(void)
{
    t = 1;
}
static void later(void)
{
    u = 1;
}
__attribute__((section(".ram_vectors"), used)) static void (*vectors[18])(void) = {
    (void (*)(void))&_estack, [16] = on_uart};
int main(void)
{
    vectors[17] = later;
    assert(u == 0);
    assert(t == 0);
    return 0;
}
