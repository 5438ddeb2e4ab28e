// kripke: check --timeout 150s
// verdict: holds
// Two buffers between a converter and a filter: who has which follows from four flags together.

#include <assert.h>
#include <stdbool.h>
unsigned char nondet_uchar(void);
static bool full[2], filling, using_, active;
static unsigned char filled, used;
static unsigned char fill_at, use_at;

int main(void)
{
    for (;;) {
        switch (nondet_uchar()) {
        case 1: if (!filling && !full[fill_at]) { filling = true; filled = 0; } break;
        case 2: if (filling && filled < 16) filled++; break;
        case 3: if (filling && filled == 16) { filling = false; full[fill_at] = true; fill_at ^= 1; } break;
        case 4: if (!using_ && full[use_at]) { using_ = true; used = 0; } break;
        case 5: if (using_ && used < 16) used++; break;
        case 6: if (using_ && used == 16) { using_ = false; full[use_at] = false; use_at ^= 1; } break;
        }
        assert(!(filling && using_ && fill_at == use_at));
        assert(!filling || !full[fill_at]);
    }
}
