// kripke: check
// verdict: violated
// violates: bounds@11

unsigned nondet_uint(void);

int main(void)
{
    int m[3][4] = {{0}};
    unsigned column = nondet_uint() % 5;
    return m[1][column];
}
