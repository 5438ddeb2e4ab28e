// kripke: check --interrupts
// verdict: error
// prints: `SysTick_Handler` is one on an Arm: say so with --target thumbv7m-none-eabi
static volatile int t;
void SysTick_Handler(void)
{
    t = 1;
}
int main(void)
{
    return t;
}
