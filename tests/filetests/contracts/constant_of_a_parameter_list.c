// kripke: check
// verdict: error
// exit: 3
// prints: speaks of `LIMIT`, which is local to it

enum { LIMIT = 100 };

int f(enum kind { LIMIT = 3 } *kind, int x) __CPROVER_requires(x <= LIMIT) { return x; }

int main(void) { return f(0, 50); }
