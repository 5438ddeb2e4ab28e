// kripke: check --interrupt a --interrupt b --interrupt-if b:*(reg*)0x40&1 --target avr --check atomicity
// verdict: violated
// violates: atomicity@20
/* Writing 0 to the mask of another handler enables none. */
typedef volatile unsigned char reg;
#define MASK (*(reg *)0x40)
static volatile unsigned char x, y;
void a(void)
{
    y = x;
}
void b(void)
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
