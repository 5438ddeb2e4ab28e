// kripke: check
// verdict: holds

#include <assert.h>

static int moves;
static int pegs[3] = {3, 0, 0};

static void hanoi(int n, int from, int to, int spare)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, spare, to);
    pegs[from]--;
    pegs[to]++;
    moves++;
    hanoi(n - 1, spare, to, from);
}

int main(void)
{
    hanoi(3, 0, 2, 1);
    assert(moves == 7 && pegs[2] == 3);
    return 0;
}
