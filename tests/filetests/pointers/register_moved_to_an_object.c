// kripke: check
// verdict: unknown
// A pointer that begins at a number and is moved by the address of an object may point to the object.
#include <assert.h>
#include <stdint.h>

static int value;
static uintptr_t distance;
static char *start;
int main(void)
{
    distance = (uintptr_t)&value - 0x10000;
    start = (char *)0x10000;
    int *pointer = (int *)(start + distance);
    if (pointer == &value) {
        *pointer = 1;
        assert(value == 1);
    }
    return 0;
}
