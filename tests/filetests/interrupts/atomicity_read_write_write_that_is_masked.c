// kripke: check --target avr --interrupt tick --check atomicity
// verdict: holds

static volatile unsigned char count;
void tick(void)
{
    count++;
}
int main(void)
{
    for (;;) {
        __asm__ volatile("cli");
        count--;
        __asm__ volatile("sei");
    }
}
