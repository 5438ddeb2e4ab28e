// kripke: check --check overflw
// verdict: error
// prints: did you mean 'overflow'

int main(void)
{
    return 0;
}
