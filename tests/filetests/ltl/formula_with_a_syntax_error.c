// kripke: check --check none
// verdict: error
// ltl: G({x == 1} -> 
// prints: ^

static int x;
int main(void)
{
    return x;
}
