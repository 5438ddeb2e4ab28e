// kripke: check
// verdict: violated
// violates: library-contract@10

#include <stdio.h>

static void show(const char *format)
{
    char text[2] = {'h', 'i'};
    printf(format, text);
}

int main(void)
{
    show("%.2s");
    show("%s");
    return 0;
}
