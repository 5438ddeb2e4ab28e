// kripke: check
// verdict: violated
// violates: division-by-zero@11

int nondet_int(void);

int main(void)
{
    int total = 100;
    int count = nondet_int();
    return total / count;
}
