// kripke: check --interrupt drop
// verdict: violated
// violates: pointer@17
#include <stdlib.h>
static char *buffer;
static int is_dropped;
void drop(void)
{
    if (!is_dropped)
        free(buffer);
    is_dropped = 1;
}
int main(void)
{
    buffer = malloc(4);
    if (buffer)
        buffer[0] = 1;
    return 0;
}
