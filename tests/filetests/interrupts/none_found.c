// kripke: check --interrupts --target avr
// verdict: error
// prints: --interrupts finds no handlers in the sources
// prints: name others with --interrupt HANDLER
static volatile int t;
void tick(void)
{
    t = 1;
}
int main(void)
{
    return t;
}
