// kripke: check
// verdict: error
// exit: 3
// prints: `f` has a contract, and it declares its parameters behind their list: do so in it
// the clause means the constant 3

enum kind { LIMIT = 100 };

int f(x, kind) int x; enum kind { LIMIT = 3 } *kind;
{
    __ESBMC_requires(x <= LIMIT);
    return x;
}

int main(void) { return f(50, 0); }
