// kripke: check --check none
// verdict: violated
// ltl: p: G({request} -> F {grant})
// violates: p
// prints: goes round for ever

_Bool __VERIFIER_nondet_bool(void);
static _Bool request, grant;
int main(void)
{
    for (;;) {
        grant = 0;
        request = __VERIFIER_nondet_bool();
        if (request && __VERIFIER_nondet_bool())
            grant = 1;
    }
}
