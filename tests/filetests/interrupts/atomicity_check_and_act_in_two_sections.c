// kripke: check --target avr --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@19
// prints: read-write-write

static volatile unsigned char count;
void tick(void)
{
    count++;
}
int main(void)
{
    __asm__ volatile("sei");
    __asm__ volatile("cli");
    unsigned char seen = count;
    __asm__ volatile("sei");
    if (seen > 0) {
        __asm__ volatile("cli");
        count = (unsigned char)(seen - 1);
        __asm__ volatile("sei");
    }
    return 0;
}
