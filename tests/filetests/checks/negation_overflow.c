// kripke: check
// verdict: violated
// violates: overflow@10

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    return -x > 0;
}
