// kripke: check --check none
// verdict: violated
// ltl: p: G {x < 2}
// violates: p

static int x;
static void set(int *where, int value)
{
    *where = value;
}
int main(void)
{
    set(&x, 2);
    set(&x, 0);
    return 0;
}
