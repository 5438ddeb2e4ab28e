// kripke: check
// verdict: holds

#include <assert.h>

static unsigned char space[3][4][5];

int main(void)
{
    space[2][3][4] = 9;
    unsigned char *flat = &space[0][0][0];
    assert(flat[2 * 20 + 3 * 5 + 4] == 9);
    assert(sizeof space == 60);
    return 0;
}
