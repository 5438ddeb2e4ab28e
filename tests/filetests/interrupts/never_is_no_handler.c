// kripke: check --interrupts --never HardFaultHandler --target thumbv7m-none-eabi
// verdict: error
// prints: did you mean 'HardFault_Handler'
static volatile int failed;
void HardFault_Handler(void)
{
    failed = 1;
}
int main(void)
{
    return failed;
}
