// kripke: check --target avr --interrupt tick --check atomicity
// verdict: holds
// What was written before interrupts were enabled is meant to be seen.

static volatile unsigned char count;
void tick(void)
{
    count++;
}
int main(void)
{
    count = 3;
    __asm__ volatile("sei");
    __asm__ volatile("cli");
    count--;
    __asm__ volatile("sei");
    __asm__ volatile("cli");
    count--;
    __asm__ volatile("sei");
    return 0;
}
