// kripke: check --interrupt tick:1 --interrupt other:1 --interrupt-if other:*(reg*)0x40&1 --target avr --check atomicity
// verdict: violated
// violates: atomicity@20
/* Writing 0 to the mask of another handler enables none. */
typedef volatile unsigned char reg;
#define MASK (*(reg *)0x40)
static volatile unsigned char x, y;
void tick(void)
{
    y = x;
}
void other(void)
{
    y = 3;
}
int main(void)
{
    x = 1;
    MASK = 0;
    x = 2;
    return 0;
}
