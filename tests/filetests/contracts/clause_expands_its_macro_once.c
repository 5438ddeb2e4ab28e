// kripke: check --all
// verdict: violated
// violates: precondition@11
// prints: x <= n
// a macro that mentions itself

static int n = 3;
#define n (n + 1)
int f(int x) __CPROVER_requires(x <= n) { return x; }

int main(void) { return f(5) + f(4); }
