// kripke: check
// verdict: error
// exit: 3
// prints: `pick` has a contract, and it speaks of `TOP`, which is local to it

enum { TOP = 100 };

int pick(int x)
{
    enum level { LOW, TOP };
    __ESBMC_requires(x < TOP);
    enum level level = x ? TOP : LOW;
    return level;
}

int main(void)
{
    return pick(50);
}
