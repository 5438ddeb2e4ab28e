// kripke: check parts/checked.c
// verdict: violated
// violates: checked_divide.division-by-zero.1

int checked_divide(int a, int b);
int nondet_int(void);

int main(void)
{
    return checked_divide(100, nondet_int() & 3);
}
