// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion
// verdict: holds
// prints: `Reset_Handler` starts the program anew: no interrupt calls it
// prints: `startup_of_the_board` has no body: no interrupt calls it
#include <assert.h>
static volatile int resets;
extern unsigned _estack;
int main(void);
void startup_of_the_board(void);
void Reset_Handler(void)
{
    resets++;
    main();
}
__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_estack, Reset_Handler, Reset_Handler, startup_of_the_board,
};
int main(void)
{
    assert(resets == 0);
    return 0;
}
