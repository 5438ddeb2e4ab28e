// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@21
// A pointer that is put together of unknown bytes may be that of what a handler writes.
#include <assert.h>
unsigned char byte(void);

static volatile int shared;
void tick(void)
{
    shared = shared + 1;
}
int main(void)
{
    int *pointer;
    for (unsigned i = 0; i < sizeof pointer; i++)
        ((unsigned char *)&pointer)[i] = byte();
    if (pointer == &shared) {
        int volatile *same = pointer;
        int first = *same, second = *same;
        assert(first == second);
    }
    return 0;
}
