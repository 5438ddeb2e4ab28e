// kripke: check
// verdict: holds
// A session that is set up takes 3 to 5 words, an error up to 9; the length is read in one state only.

#include <assert.h>
unsigned char nondet_uchar(void);
enum state { IDLE, HEADER, BODY, FAILED };
static enum state state;
static unsigned char length;
static int error;

int main(void)
{
    for (;;) {
        unsigned char input = nondet_uchar();
        switch (state) {
        case IDLE:
            if (input == 7) { state = HEADER; length = 2; error = 0; }
            break;
        case HEADER:
            if (input > 9) { error = 1; length = 9; state = FAILED; }
            else if (input == 3 && length < 5) length++;
            else if (input == 4 && length > 2) state = BODY;
            break;
        case BODY:
            assert(error || (length >= 3 && length <= 5));
            if (input == 0) { length = 0; state = IDLE; }
            else if (input == 1) { error = 1; length = input + 7; }
            break;
        case FAILED:
            if (length > 0) length--; else state = IDLE;
            break;
        }
    }
}
