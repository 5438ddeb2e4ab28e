// kripke: check
// verdict: violated
// violates: assertion@28
// A lock for readers and a writer who waits; one of the readers does not always look.

#include <assert.h>
#include <stdbool.h>
unsigned char nondet_uchar(void);
static unsigned char first, second, writer;   // 0 away, 1 waits, 2 inside
static unsigned char readers;
static bool locked;

int main(void)
{
    for (;;) {
        switch (nondet_uchar()) {
        case 1: if (first == 0) first = 1; break;
        case 2: if (first == 1 && !locked) { first = 2; readers++; } break;
        case 3: if (first == 2) { first = 0; readers--; } break;
        case 4: if (second == 0) second = 1; break;
        case 5: if (second == 1 && (!locked || first != 1)) { second = 2; readers++; } break;
        case 6: if (second == 2) { second = 0; readers--; } break;
        case 7: if (writer == 0) writer = 1; break;
        case 8: if (writer == 1) locked = true; break;
        case 9: if (writer == 1 && locked && readers == 0) writer = 2; break;
        case 10: if (writer == 2) { writer = 0; locked = false; } break;
        }
        assert(!(writer == 2 && (first == 2 || second == 2)));
        assert(readers <= 2);
    }
}
