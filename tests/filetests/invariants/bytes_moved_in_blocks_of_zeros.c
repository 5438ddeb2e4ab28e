// kripke: check
// verdict: violated
// violates: assertion@26
// As bytes_moved_in_blocks.c, but what is moved in at the end is a block of zeros.
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static char screen[3][8];
static unsigned char row, column;

int main(void) {
    memset(screen, ' ', sizeof screen);
    for (;;) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        if (byte >= ' ' && byte < 127)
            screen[row][column++] = (char)byte;
        if (column == 8 || byte == '\n') {
            column = 0;
            if (++row == 3) {
                row = 2;
                memmove(screen[0], screen[1], 2 * 8);
                memset(screen[2], 0, 8);
            }
        }
        __VERIFIER_assert(screen[row][column] >= ' ');
    }
}
