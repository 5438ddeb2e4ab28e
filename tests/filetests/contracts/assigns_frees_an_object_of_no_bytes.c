// kripke: check
// verdict: violated
// violates: assigns@9

#include <stdlib.h>

static void drop(void *object) __CPROVER_assigns()
{
    free(object);
}

int main(void)
{
    drop(0);
    drop(malloc(0));
}
