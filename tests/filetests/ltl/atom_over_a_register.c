// kripke: check --check none --target avr
// verdict: error
// ltl: G {PORTB == 0}
// prints: device register

#define PORTB (*(volatile unsigned char *)0x38)
int main(void)
{
    PORTB = 1;
    return 0;
}
