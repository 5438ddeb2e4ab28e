// kripke: check --interrupt tick --interrupt-if tick:*(reg*)0x40&1 --target avr --check atomicity
// verdict: holds
/* A condition that becomes true enables: what was written until then is meant to be seen. */
typedef volatile unsigned char reg;
#define MASK (*(reg *)0x40)
static volatile unsigned char x, y;
void tick(void)
{
    y = x;
}
int main(void)
{
    x = 1;
    MASK = 1;
    MASK = 0;
    x = 2;
    MASK = 1;
    return 0;
}
