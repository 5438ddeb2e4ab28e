// kripke: check
// verdict: violated
// violates: float-cast@12

double nondet_double(void);

int main(void)
{
    double x = nondet_double();
    if (!(x > -3 && x < 3))
        return 0;
    return (unsigned)x > 2;
}
