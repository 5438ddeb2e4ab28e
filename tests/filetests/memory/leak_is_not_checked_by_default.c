// kripke: check
// verdict: holds

#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    p[0] = 1;
    return 0;
}
