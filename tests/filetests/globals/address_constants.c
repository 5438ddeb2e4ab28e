// kripke: check
// verdict: holds

#include <assert.h>

static int table[5] = {1, 2, 3, 4, 5};
static int *const middle = &table[2];
static int *const end = table + 5;
static const char *const words[] = {"alpha", "beta", 0};

int main(void)
{
    assert(*middle == 3 && end - middle == 3);
    assert(words[1][0] == 'b' && !words[2]);
    return 0;
}
