// kripke: check
// verdict: holds

#include <stdio.h>
int nondet_int(void);

int main(void)
{
    printf("value %d\n", nondet_int() & 7);
    puts("done");
    putchar('!');
    fprintf(stderr, "%s\n", "error");
    fputs("text", stdout);
    fflush(stdout);
    return 0;
}
