// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>
_Bool nondet_bool(void);

static int open_count;

static int work(void)
{
    int result = -1;
    char *a, *b = 0;
    open_count++;
    a = malloc(4);
    if (nondet_bool())
        goto out;
    b = malloc(4);
    if (nondet_bool())
        goto out;
    result = 0;
out:
    free(b);
    free(a);
    open_count--;
    return result;
}

int main(void)
{
    int result = work();
    assert(open_count == 0 && (result == 0 || result == -1));
    return 0;
}
