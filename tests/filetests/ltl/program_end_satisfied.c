// kripke: check --check none
// verdict: holds
// ltl: G({x == 0} -> F {x == 1})

int x;
int main(void)
{
    x = 1;
    return 0;
}
