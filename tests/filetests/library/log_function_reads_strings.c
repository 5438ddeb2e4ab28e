// kripke: check
// verdict: violated
// violates: library-contract@11

#include <stdarg.h>
#include <stdio.h>
static void log_it(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void)
{
    char text[2] = {'h', 'i'};
    log_it("%d %c\n", 3, 'x');
    log_it("%s\n", text);
    return 0;
}
