// kripke: check --target avr
// verdict: holds

#include <assert.h>
#include <stdarg.h>

static long sum(int count, ...)
{
    va_list list;
    long total = 0;
    va_start(list, count);
    while (count-- > 0)
        total += va_arg(list, long);
    va_end(list);
    return total;
}

int main(void)
{
    assert(sum(2, 100000L, 5L) == 100005L);
    return 0;
}
