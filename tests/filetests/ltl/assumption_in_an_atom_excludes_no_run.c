// kripke: check --check assertion --all
// verdict: violated
// ltl: p: G {get() < 2}
// violates: p
/* The assumption says nothing about the atom: with x == 5 its value is what get() returns. */
void __VERIFIER_assume(int condition);

int x;

static int get(void) {
    __VERIFIER_assume(x < 2);
    return x;
}

int main(void) {
    x = 5;
    return 0;
}
