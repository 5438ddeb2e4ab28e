// kripke: check --check none
// verdict: error
// ltl: G {count < 3}
// prints: undeclared identifier
// prints: global variables

int main(void)
{
    static int count;
    count++;
    return 0;
}
