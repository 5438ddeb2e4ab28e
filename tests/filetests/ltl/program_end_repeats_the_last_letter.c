// kripke: check --check none
// verdict: violated
// ltl: end: G({x == 0} -> F {x == 1})
// violates: end
// prints: the program ends here

int x = 1;
int main(void)
{
    x = 0;
    return 0;
}
