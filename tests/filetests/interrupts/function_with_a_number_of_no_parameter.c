// kripke: check --interrupt a:1:3 --interrupt-disable mask(m,_)
// verdict: error
// prints: `mask` has 1 parameter, and 2 are given
void mask(int n)
{
    (void)n;
}
void a(void)
{
}
int main(void)
{
    mask(0);
    return 0;
}
