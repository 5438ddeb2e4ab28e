// kripke: check
// verdict: holds
// Two pointers go round two buffers and null, and the loop has to know which places they may have.
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assert(int);

static unsigned short buffers[2][3];
static unsigned short *filling = buffers[0];
static unsigned short *emptying;
static unsigned char filled, emptied;

int main(void) {
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            filling[filled] = 7;
            if (++filled == 3) {
                filled = 0;
                if (!emptying) {
                    emptying = filling;
                    emptied = 0;
                    filling = filling == buffers[0] ? buffers[1] : buffers[0];
                }
            }
        }
        if (emptying && __VERIFIER_nondet_bool()) {
            emptying[emptied] = 0;
            if (++emptied == 3)
                emptying = 0;
        }
        __VERIFIER_assert(filling != emptying);
        __VERIFIER_assert(!emptying || emptied < 3);
    }
}
