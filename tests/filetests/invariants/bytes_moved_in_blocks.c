// kripke: check
// verdict: holds
// Every byte of an array is bounded, though blocks of them are set and moved at once.
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
                memset(screen[2], ' ', 8);
            }
        }
        __VERIFIER_assert(screen[row][column] >= ' ');
    }
}
