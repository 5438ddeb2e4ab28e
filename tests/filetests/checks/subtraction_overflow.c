// kripke: check
// verdict: violated
// violates: overflow@11

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    if (x < 0)
        return 0 - x - 2 < x;
    return 0;
}
