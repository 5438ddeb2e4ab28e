// kripke: check
// verdict: violated
// violates: overflow@9

int nondet_int(void);

static int magnitude(int x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    return magnitude(nondet_int()) & 1;
}
