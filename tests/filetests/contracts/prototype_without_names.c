// kripke: check
// verdict: error
// exit: 3
// prints: speaks of `a`, which is not the same in the declaration and in the definition

static int a = 1;
int f(int) __CPROVER_requires(a > 0);
int f(int a) { return a; }

int main(void) { return f(-1) & a; }
