// kripke: check
// verdict: error
// exit: 3
// prints: speaks of `LIMIT`, which is local to it

enum { LIMIT = 100 };

int f(int x)
{
    enum { FIRST, LIMIT = 3 };
    __ESBMC_requires(x <= LIMIT);
    return x;
}

int main(void) { return f(50); }
