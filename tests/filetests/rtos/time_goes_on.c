// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static void first(void *unused)
{
    TickType_t last = xTaskGetTickCount(), now;
    xTaskDelayUntil(&last, 10);
    now = xTaskGetTickCount();
    assert(now >= last - 10);
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
