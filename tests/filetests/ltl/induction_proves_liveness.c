// kripke: check --check none
// verdict: holds
// ltl: G({request} -> F {grant})
// prints: induction

_Bool __VERIFIER_nondet_bool(void);
static _Bool request, grant;
int main(void)
{
    for (;;) {
        grant = 0;
        request = __VERIFIER_nondet_bool();
        if (request) {
            grant = 1;
            request = 0;
        }
    }
}
