// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `f` calls `isdigit`, which calls_an_alias.c defines

int calls;

int counted(int x)
{
    calls++;
    return x;
}
int isdigit(int x) __attribute__((alias("counted")));

int f(int x) __CPROVER_requires(isdigit(x) || 1) { return x; }

int main(void)
{
    return f(1) + calls;
}
