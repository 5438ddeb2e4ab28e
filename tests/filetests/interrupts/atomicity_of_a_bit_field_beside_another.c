// kripke: check --target avr --interrupt tick --check atomicity
// verdict: holds
// What is beside a bit-field is read to be kept, which is no read of it.

static volatile struct { unsigned first : 3, second : 5; } flags;
void tick(void)
{
    flags.second = 3;
}
int main(void)
{
    flags.first = 1;
    __asm__ volatile("sei");
    __asm__ volatile("cli");
    flags.first = 2;
    __asm__ volatile("sei");
    return 0;
}
