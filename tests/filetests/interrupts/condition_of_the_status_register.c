// kripke: check --interrupt tick --interrupt-if tick:SREG&0x80 --target avr --check assertion
// verdict: error
// prints: that is followed anyway
#define SREG (*(volatile unsigned char *)0x5F)
void tick(void)
{
}
int main(void)
{
    SREG = 0;
    return 0;
}
