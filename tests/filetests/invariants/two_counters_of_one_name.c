// kripke: check --only-invariants
// verdict: holds
// Two loops inside an endless one count with variables of one name, and their invariants speak of both.
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assert(int);

int main(void) {
    unsigned char limit = 0;
    for (;;) {
        if (__VERIFIER_nondet_bool() && limit < 200)
            limit++;
        unsigned char seen = 0;
        {
            unsigned char k = 0;
            while (k < limit && __VERIFIER_nondet_bool())
                k++;
            seen = k;
        }
        {
            unsigned char k = 0;
            while (k < seen && __VERIFIER_nondet_bool())
                k++;
            __VERIFIER_assert(k <= 200);
        }
    }
}
