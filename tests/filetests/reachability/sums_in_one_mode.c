// kripke: check
// verdict: holds
// Two counters that make up ten while work is handed over, and nothing in other modes.

#include <assert.h>
unsigned char nondet_uchar(void);
static unsigned char mode, left, right;

int main(void)
{
    for (;;) {
        unsigned char input = nondet_uchar();
        if (mode == 0) {
            left = input & 15;
            right = input >> 4;
            if (input == 0xa0) mode = 1;
        } else if (mode == 1) {
            if (input & 1 && right > 0) { right--; left++; }
            else if (input & 2 && left > 0) { left--; right++; }
            else if (input & 4) mode = 2;
        } else {
            assert(left + right == 10);
            if (input == 9) mode = 0;
        }
    }
}
