// kripke: check
// verdict: holds

#include <assert.h>

struct pair {
    char key;
    long long value;
};

static struct pair make(char key)
{
    struct pair p = {key, (long long)key << 40};
    return p;
}

int main(void)
{
    assert(make('A').value == 65LL << 40);
    assert(make('B').key == 'B');
    return 0;
}
