// kripke: check
// verdict: violated
// violates: assertion@30
// As pointer_to_one_of_two.c, but a full buffer is handed over although the other is not empty.
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assert(int);

static unsigned short buffers[2][2];
static unsigned short *filling = buffers[0];
static unsigned short *emptying;
static unsigned char filled, emptied;

int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            filling[filled] = 7;
            if (++filled == 2) {
                filled = 0;
                if (!emptying || emptied == 0) {
                    if (!emptying)
                        emptying = filling;
                    filling = filling == buffers[0] ? buffers[1] : buffers[0];
                }
            }
        }
        if (emptying && __VERIFIER_nondet_bool()) {
            emptied = !emptied;
            emptying = emptied ? emptying : 0;
        }
        __VERIFIER_assert(filling != emptying);
    }
}
