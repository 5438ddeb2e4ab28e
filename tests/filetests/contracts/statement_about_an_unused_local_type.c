// kripke: check
// verdict: error
// exit: 3
// prints: `f` has a contract, and it speaks of `num`, which is local to it: declare

typedef long long num;

int f(int x)
{
    typedef signed char num;
    __ESBMC_requires((num)x == x);
    return x;
}

int main(void) { return f(300); }
