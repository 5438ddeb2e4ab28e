// kripke: check --check none
// verdict: error
// ltl: AG {x == 1}
// prints: path quantifiers

static int x;
int main(void)
{
    return x;
}
