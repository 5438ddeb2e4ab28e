// kripke: check
// verdict: unknown

#include "FreeRTOS.h"
static void first(void *unused)
{
    vTaskEndScheduler();
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
