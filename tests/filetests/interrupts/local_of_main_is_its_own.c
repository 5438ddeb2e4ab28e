// kripke: check --interrupt tick --check assertion
// verdict: holds
#include <assert.h>
int shared;
void tick(void)
{
    int local = shared;
    shared = local + 1 > 9 ? 0 : local + 1;
}
int main(void)
{
    int local = 3, other[2] = {1, 2};
    int seen = shared;
    assert(local == 3 && other[seen >= 0 ? 1 : 0] == 2);
    return 0;
}
