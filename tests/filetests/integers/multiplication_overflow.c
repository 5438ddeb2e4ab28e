// kripke: check
// verdict: violated
// violates: overflow@10

short nondet_short(void);

int main(void)
{
    unsigned short a = (unsigned short)nondet_short(), b = (unsigned short)nondet_short();
    return (a * b) & 1;
}
