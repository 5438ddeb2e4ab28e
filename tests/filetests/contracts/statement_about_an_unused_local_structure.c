// kripke: check
// verdict: error
// exit: 3
// prints: speaks of `s`, which is local to it

struct s { int v[10]; };

int f(int x)
{
    struct s { char c; };
    __ESBMC_requires(x <= (int)sizeof(struct s));
    return x;
}

int main(void) { return f(40); }
