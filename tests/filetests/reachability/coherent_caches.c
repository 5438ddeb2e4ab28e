// kripke: check
// verdict: holds
// Three caches that keep one line coherent (MSI): a modified copy is the only one, and the memory is stale.

#include <assert.h>
#include <stdbool.h>
unsigned char nondet_uchar(void);
enum copy { INVALID, SHARED, MODIFIED };
static enum copy first, second, third;
static unsigned char sharers;
static bool stale;

int main(void)
{
    for (;;) {
        unsigned char input = nondet_uchar();
        if (input == 1 && first == INVALID) {
            if (second == MODIFIED) second = SHARED;
            if (third == MODIFIED) third = SHARED;
            stale = false;
            first = SHARED;
            sharers++;
        } else if (input == 2) {
            first = MODIFIED;
            second = third = INVALID;
            sharers = 1;
            stale = true;
        } else if (input == 3 && second == INVALID) {
            if (first == MODIFIED) first = SHARED;
            if (third == MODIFIED) third = SHARED;
            stale = false;
            second = SHARED;
            sharers++;
        } else if (input == 4) {
            second = MODIFIED;
            first = third = INVALID;
            sharers = 1;
            stale = true;
        } else if (input == 5 && first == SHARED) {
            first = INVALID;
            sharers--;
        } else if (input == 6 && first == MODIFIED) {
            first = INVALID;
            sharers--;
            stale = false;
        } else if (input == 7 && third == INVALID) {
            if (first == MODIFIED) first = SHARED;
            if (second == MODIFIED) second = SHARED;
            stale = false;
            third = SHARED;
            sharers++;
        }
        assert(sharers <= 3);
        assert(!stale || sharers == 1);
        assert(!(first == MODIFIED && second != INVALID));
    }
}
