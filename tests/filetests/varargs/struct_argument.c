// kripke: check
// verdict: holds

#include <assert.h>
#include <stdarg.h>

struct pair {
    int a, b;
};

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count-- > 0) {
        struct pair p = va_arg(list, struct pair);
        total += p.a * p.b;
    }
    va_end(list);
    return total;
}

int main(void)
{
    struct pair p = {2, 3}, q = {4, 5};
    assert(sum(2, p, q) == 26);
    return 0;
}
