// kripke: check
// verdict: violated
// violates: assertion@17
// As stack_of_free_slots.c, but slot 3 may be given back although it is free, where there is room.
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static _Bool taken[4];
static unsigned char stack[8] = {3, 2, 1, 0}, count = 4;

int main(void) {
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        if (input & 0x80) {
            if (count > 0) {
                unsigned char slot = stack[--count];
                __VERIFIER_assert(!taken[slot]);
                taken[slot] = 1;
            }
        } else if (input < 4 && (taken[input] || (input == 3 && count < 3))) {
            taken[input] = 0;
            stack[count++] = input;
        }
    }
}
