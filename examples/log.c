/* A handler that writes a line, and one that leaves that to the main loop. */
#include <stdio.h>

static volatile int pressed;

static void tell(int count)
{
    printf("pressed %d times\n", count);
}

void button(void)
{
    if (pressed < 100)
        pressed++;
#ifndef FIXED
    tell(pressed);
#endif
}

int main(void)
{
    for (;;) {
        int count = pressed;
        if (count > 0)
            tell(count);
    }
}
