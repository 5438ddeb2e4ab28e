// kripke: check
// verdict: violated
// violates: bounds@11

int nondet_int(void);

int main(void)
{
    int table[10] = {0};
    int i = nondet_int() % 10;
    return table[i];
}
