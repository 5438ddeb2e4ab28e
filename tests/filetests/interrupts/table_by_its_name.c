// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.2
// prints: `vector_operations` is not taken for a table of vectors: no interrupt calls its functions
// It has no section, but looks like a table; the other one does not.
#include <assert.h>
static volatile int x;
extern unsigned _estack;
void Reset_Handler(void)
{
}
static void on_six(void)
{
    x = 1;
}
static void clear(void)
{
    x = 2;
}
void (*const vector_operations[])(void) = {clear, clear};
void (*const g_pfnVectors[])(void) = {
    (void (*)(void))&_estack,
    Reset_Handler,
    [16 + 6] = on_six,
};
int main(void)
{
    assert(x != 2);
    assert(x == 0);
    return 0;
}
