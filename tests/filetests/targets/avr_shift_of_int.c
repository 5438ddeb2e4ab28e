// kripke: check --target avr
// verdict: violated
// violates: shift@10

unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char bit = nondet_uchar() & 31;
    unsigned long mask = 1u << bit;
    return mask == 0;
}
