// kripke: check --check none
// verdict: error
// ltl: G {x++ < 3}
// prints: side effect

static int x;
int main(void)
{
    return x;
}
