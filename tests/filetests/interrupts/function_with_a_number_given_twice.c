// kripke: check --interrupt a:1:3 --interrupt-disable mask(n) --interrupt-enable mask(n)
// verdict: error
// prints: `mask` is given twice
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
