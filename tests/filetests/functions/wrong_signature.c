// kripke: check
// verdict: violated
// violates: function-pointer@13

static int half(double x)
{
    return (int)(x / 2);
}

int main(void)
{
    int (*f)(int, int) = (int (*)(int, int))half;
    return f(1, 2);
}
