// kripke: check
// verdict: violated
// violates: assertion@11

#include <assert.h>

extern int board_revision;

int main(void)
{
    assert(board_revision < 10);
    return 0;
}
