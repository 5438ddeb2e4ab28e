// kripke: check --interrupt tick --check leak
// verdict: violated
// violates: leak@8
/* A handler that ends the program may come while something is on the heap. */
#include <stdlib.h>
void tick(void)
{
    exit(0);
}
int main(void)
{
    char *block = malloc(4);
    free(block);
    return 0;
}
