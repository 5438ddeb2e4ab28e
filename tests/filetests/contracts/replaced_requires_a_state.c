// kripke: check --replace-calls read
// verdict: holds

#include <assert.h>

static int ready, *store, value;

static int read(void)
    __CPROVER_requires(ready == 1 && store == &value)
    __CPROVER_ensures(__CPROVER_return_value == value)
{
    return ready ? *store : 0;
}

int main(void)
{
    ready = 1;
    store = &value;
    value = 3;
    assert(read() == 3);
}
