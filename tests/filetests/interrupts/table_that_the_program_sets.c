// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: the table of vectors that the program sets (VTOR) is not followed
#include <assert.h>
#include <stdint.h>
extern unsigned _estack; int main(void);
void Reset_Handler(void){ main(); }
#define VEC __attribute__((section(".isr_vector"), used))
#define STK (void (*)(void))&_estack

static volatile int x;
#define VTOR (*(volatile uint32_t *)0xE000ED08u)
static void a(void){ x = 1; }
static void d(void){ static volatile int n; n++; }
VEC void (*const v[])(void) = { STK, Reset_Handler, [16+6]=d };
static void (*ram[32])(void) __attribute__((aligned(128)));
int main(void)
{
    for (int i = 0; i < 32; i++)
        ram[i] = v[i < 23 ? i : 0];
    ram[16 + 6] = a;
    VTOR = (uint32_t)ram;
    assert(x == 0);
    return 0;
}
