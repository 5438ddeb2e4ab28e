#include <stdarg.h>
#include <stdio.h>

struct pair { int a; double b; };

static double sum(int count, ...) {
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    double total = va_arg(copy, int);
    for (int i = 0; i < count; i++) total += va_arg(list, double);
    total += va_arg(list, struct pair).b + (double)va_arg(list, long double) + *va_arg(list, char *);
    va_end(copy);
    va_end(list);
    return total;
}

static int forward(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vprintf(format, list);
    va_end(list);
    return written;
}

int main(void) {
    struct pair p = {1, 2};
    printf("%d %s %c %f %%\n\t\"\\\x7f\xc3\xa9\n", 1, "two", 'c', 4.0);
    return forward("%d", 1) + (int)sum(2, 1.0, 2.0, p, 1.0L, "x");
}
