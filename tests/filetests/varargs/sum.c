// kripke: check
// verdict: holds

#include <assert.h>
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(void)
{
    assert(sum(0) == 0);
    assert(sum(3, 1, 2, 3) == 6);
    assert(sum(8, 1, 2, 3, 4, 5, 6, 7, 8) == 36);
    return 0;
}
