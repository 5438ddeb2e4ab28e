// kripke: check --check none
// verdict: violated
// ltl: p: G({on} -> F {!on})
// violates: p
// prints: goes round for ever

int __VERIFIER_nondet_int(void);
static int on, beat;
int main(void)
{
    for (;;) {
        int command = __VERIFIER_nondet_int();
        beat = !beat;
        if (command == 42)
            on = 1;
        else if (command == 0 || command == -1)
            on = 0;
    }
}
