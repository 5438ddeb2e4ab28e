// kripke: check --target avr
// verdict: violated
// violates: overflow@10

unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char a = nondet_uchar(), b = nondet_uchar();
    int product = a * b;
    return product < 0;
}
