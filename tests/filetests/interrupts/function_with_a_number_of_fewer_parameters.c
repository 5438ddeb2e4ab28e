// kripke: check --interrupt a:1:3 --interrupt-disable mask(_,n)
// verdict: error
// prints: write 'mask(n)'
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
