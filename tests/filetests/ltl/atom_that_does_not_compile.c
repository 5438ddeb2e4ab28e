// kripke: check --check none
// verdict: error
// ltl: G {x +}
// prints: expected expression

static int x;
int main(void)
{
    return x;
}
