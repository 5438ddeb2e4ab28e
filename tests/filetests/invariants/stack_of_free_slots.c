// kripke: check
// verdict: holds
// The free slots are a stack of different indices, counted, and none of them is taken.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static _Bool taken[4];
static unsigned char stack[4] = {3, 2, 1, 0}, count = 4;

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        if (input & 0x80) {
            if (count > 0) {
                unsigned char slot = stack[--count];
                __VERIFIER_assert(!taken[slot]);
                taken[slot] = 1;
            }
        } else if (input < 4 && taken[input]) {
            taken[input] = 0;
            stack[count++] = input;
        }
    }
}
