// kripke: check
// verdict: error
// exit: 3
// prints: `count` has a contract, and it speaks of `total`, which is local to it

// Outside of the function, `total` is another variable.
int total;

int count(void)
{
    static int total;
    __ESBMC_ensures(total == 1);
    total++;
    return total;
}

int main(void)
{
    count();
    count();
}
