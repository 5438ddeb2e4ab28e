// kripke: check
// verdict: error
// exit: 3
// prints: is declared with it inside of a function

static int limit = 100;

int main(void)
{
    int limit = 3;
    int f(int x) __CPROVER_requires(x <= limit);
    return f(50) + limit;
}

int f(int x) { return x; }
