// kripke: check
// verdict: holds

#include <assert.h>

struct block {
    int data[20];
};

static struct block filled(int value)
{
    struct block b;
    for (int i = 0; i < 20; i++)
        b.data[i] = value + i;
    return b;
}

static int sum(struct block b)
{
    int total = 0;
    for (int i = 0; i < 20; i++)
        total += b.data[i];
    b.data[0] = 0;
    return total;
}

int main(void)
{
    struct block b = filled(1);
    assert(sum(b) == 210 && b.data[0] == 1);
    return 0;
}
