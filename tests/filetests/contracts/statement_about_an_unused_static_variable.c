// kripke: check
// verdict: error
// exit: 3
// prints: speaks of `limit`, which is local to it

static const int limit = 100;

int f(int x)
{
    static const int limit = 3;
    __ESBMC_requires(x <= limit);
    return x;
}

int main(void) { return f(limit); }
