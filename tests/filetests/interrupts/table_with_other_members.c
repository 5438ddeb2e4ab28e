// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: assertion@26
// prints: `first` (priority 1), `second` (priority 1) come at any time
// What the table begins with is no address of a stack, so it is no table of the processor.
#include <assert.h>
static volatile int x;
static void first(void)
{
    x = 1;
}
static void second(void)
{
    x = 2;
}
struct entry {
    int number;
    void (*handler)(void);
};
__attribute__((section(".soft_vectors"), used)) static const struct entry table[] = {{7, first}, {9, second}};
void NVIC_EnableIRQ(int number);
int main(void)
{
    NVIC_EnableIRQ(-15);
    assert(x != 2);
    assert(x != 1);
    return 0;
}
