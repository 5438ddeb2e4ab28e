// kripke: check --interrupt a:1:3 --interrupt-disable mask(n,any=1)
// verdict: error
// prints: is no value that means all
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
