// kripke: check
// verdict: violated
// violates: assigns@11

#include <stdlib.h>

static void discard(int *place)
    __CPROVER_assigns(*place)
{
    *place = 0;
    free(place);
}

int main(void)
{
    discard(malloc(sizeof(int)));
}
