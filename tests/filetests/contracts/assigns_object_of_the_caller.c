// kripke: check
// verdict: violated
// violates: assigns@8
// A heap object that was there before.

#include <stdlib.h>

static void put(int *place) __CPROVER_assigns() { *place = 1; }

int main(void)
{
    int *place = malloc(sizeof *place);
    put(place);
    free(place);
}
