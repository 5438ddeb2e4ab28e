// kripke: check --all
// verdict: violated
// violates: precondition@14

static int n = 3;

int f(int x)
{
    __ESBMC_requires(x <= n);
    return x;
}
#define n 100

int main(void) { return f(5); }
