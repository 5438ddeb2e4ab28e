// kripke: check
// verdict: violated
// violates: bounds@11

unsigned nondet_uint(void);

int main(void)
{
    int a[8] = {0};
    unsigned k = nondet_uint() % 10;
    return a[k];
}
