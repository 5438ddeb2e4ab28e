// kripke: check
// verdict: holds

#include <assert.h>
#include <stdarg.h>

static double total(const char *kinds, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i':
            sum += va_arg(list, int);
            break;
        case 'd':
            sum += va_arg(list, double);
            break;
        case 'l':
            sum += va_arg(list, long long);
            break;
        case 's':
            sum += va_arg(list, const char *)[0];
            break;
        }
    va_end(list);
    return sum;
}

int main(void)
{
    char c = 5;
    float f = 0.25f;
    assert(total("idls", c, f, 10LL, "A") == 5 + 0.25 + 10 + 65);
    return 0;
}
