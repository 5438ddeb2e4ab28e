// kripke: check
// verdict: holds

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    unsigned u = 3;
    char c = 'x', text[10];
    short s = 4;
    float f;
    double d;
    printf("%d %c %hd %zu %s %p %Lf %5.2f %*d %lu %hhx %jd %td %%\n", u, c, s, sizeof u,
        "text", (void *)&u, 1.0L, 2.0,
           4, 5, 6UL, c, (intmax_t)3, (ptrdiff_t)1);
    if (scanf("%f %lf %9s %u %c %hd", &f, &d, text, &u, &c, &s) == 6)
        return 0;
    return 1;
}
