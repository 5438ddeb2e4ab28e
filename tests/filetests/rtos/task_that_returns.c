// kripke: check
// verdict: violated
// violates: library-contract@6

#include "FreeRTOS.h"
static void first(void *unused)
{
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
