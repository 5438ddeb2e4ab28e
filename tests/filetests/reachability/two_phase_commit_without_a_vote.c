// kripke: check
// verdict: violated
// violates: assertion@28
// A coordinator that does not wait for the vote of the second member.

#include <assert.h>
#include <stdbool.h>
unsigned char nondet_uchar(void);
enum state { WORKING, PREPARED, COMMITTED, ABORTED };
static enum state left, right, coordinator;
static bool left_voted, right_voted;

int main(void)
{
    for (;;) {
        switch (nondet_uchar()) {
        case 1: if (left == WORKING) { left = PREPARED; left_voted = true; } break;
        case 2: if (left == WORKING) left = ABORTED; break;
        case 3: if (right == WORKING) { right = PREPARED; right_voted = true; } break;
        case 4: if (right == WORKING) right = ABORTED; break;
        case 5: if (coordinator == WORKING && left_voted) coordinator = COMMITTED; break;
        case 6: if (coordinator == WORKING) coordinator = ABORTED; break;
        case 7: if (coordinator == COMMITTED) left = COMMITTED; break;
        case 8: if (coordinator == COMMITTED) right = COMMITTED; break;
        case 9: if (coordinator == ABORTED) left = ABORTED; break;
        case 10: if (coordinator == ABORTED) right = ABORTED; break;
        }
        assert(!(left == COMMITTED && right == ABORTED));
        assert(!(left == ABORTED && right == COMMITTED));
    }
}
