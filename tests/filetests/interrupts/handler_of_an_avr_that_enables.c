// kripke: check --interrupt tick --target avr
// verdict: unknown
static volatile unsigned char t;
void tick(void)
{
    __asm__ __volatile__("sei");
    t = 1;
}
int main(void)
{
    __asm__ __volatile__("sei");
    return t;
}
