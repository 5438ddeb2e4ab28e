// kripke: check --target aarch64-linux-gnu
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
    assert(sum(3, 1, 2, 3) == 6);
    return 0;
}
