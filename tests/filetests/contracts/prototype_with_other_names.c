// kripke: check
// verdict: error
// exit: 3
// prints: prototype_with_other_names.c:9:1: `f` has a contract, and it speaks of `a`
// prints: name the parameters alike

static int a = 1;
int f(int a) __CPROVER_requires(a > 0);
int f(int b) { return b; }

int main(void) { return f(-1) & a; }
