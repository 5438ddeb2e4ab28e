// kripke: check --interrupt a:1:3
// options: --interrupt-disable mask(n,all=0) --target thumbv7m-none-eabi --check assertion
// verdict: holds
void __assert_func(const char *, int, const char *, const char *);
void mask(int n);
static volatile int x;
void a(void)
{
    x++;
    mask(0);
}
int main(void)
{
    if (!(x <= 1))
        __assert_func("", 0, "", "");
    return 0;
}
