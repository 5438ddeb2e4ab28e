// kripke: check
// verdict: unknown

#include "FreeRTOS.h"
static void first(void *unused)
{
    xTaskAbortDelay(xTaskGetCurrentTaskHandle());
    vTaskDelete(NULL);
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
