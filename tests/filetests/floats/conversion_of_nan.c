// kripke: check
// verdict: violated
// violates: float-cast@12

double nondet_double(void);

int main(void)
{
    double x = nondet_double();
    if (x < -1000 || x > 1000)
        return 0;
    return (int)x;
}
