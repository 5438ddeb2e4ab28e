// kripke: check --interrupts --target thumbv7m-none-eabi --check none
// ltl: F {woken}
// verdict: holds
// prints: where the program waits for an interrupt (`wfi`, `sleep`), it goes on at last
static volatile int t, woken;
void SysTick_Handler(void)
{
    t = 1;
}
int main(void)
{
    __asm__ volatile("wfi");
    woken = 1;
    for (;;) {
    }
}
