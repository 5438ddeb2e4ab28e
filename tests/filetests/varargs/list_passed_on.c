// kripke: check
// verdict: holds

#include <assert.h>
#include <stdarg.h>

static int maximum_of(int count, va_list list)
{
    int max = va_arg(list, int);
    while (--count > 0) {
        int next = va_arg(list, int);
        if (next > max)
            max = next;
    }
    return max;
}

static int maximum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int max = maximum_of(count, list);
    va_end(list);
    return max;
}

int main(void)
{
    assert(maximum(4, 3, 9, -2, 7) == 9);
    return 0;
}
