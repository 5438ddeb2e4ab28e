// kripke: check
// verdict: holds

#include <assert.h>

struct cell {
    unsigned used : 1;
    unsigned next : 15;
};

int main(void)
{
    struct cell cells[4] = {{0}};
    for (unsigned i = 0; i < 4; i++) {
        cells[i].used = i & 1;
        cells[i].next = i + 1;
    }
    unsigned used = 0;
    for (unsigned i = 0; i < 4; i++)
        used += cells[i].used;
    assert(used == 2 && cells[3].next == 4);
    return 0;
}
