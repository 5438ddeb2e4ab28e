// kripke: check
// verdict: holds

#include <assert.h>
#include <stdarg.h>

static int twice(int count, ...)
{
    va_list first, second;
    int sum = 0;
    va_start(first, count);
    va_copy(second, first);
    for (int i = 0; i < count; i++)
        sum += va_arg(first, int);
    for (int i = 0; i < count; i++)
        sum += 10 * va_arg(second, int);
    va_end(second);
    va_end(first);
    return sum;
}

int main(void)
{
    assert(twice(2, 1, 2) == 33);
    return 0;
}
