// kripke: check --interrupt tick --interrupt-disable lock --check leak
// verdict: holds
/* A handler that ends the program cannot come while something is on the heap. */
#include <stdlib.h>
void lock(void) {}
void tick(void)
{
    exit(0);
}
int main(void)
{
    lock();
    char *block = malloc(4);
    free(block);
    return 0;
}
