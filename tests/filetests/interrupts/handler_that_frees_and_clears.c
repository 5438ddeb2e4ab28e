// kripke: check --interrupt drop
// verdict: violated
// violates: pointer@15
#include <stdlib.h>
static char *buffer;
void drop(void)
{
    free(buffer);
    buffer = 0;
}
int main(void)
{
    buffer = malloc(4);
    if (buffer)
        buffer[0] = 1;
    return 0;
}
