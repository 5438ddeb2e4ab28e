// kripke: check --check none
// verdict: violated
// ltl: p: G {x == 0}
// violates: p

static int x, *px = &x, **ppx = &px;
int main(void)
{
    **ppx = 1;
    x = 0;
    return 0;
}
