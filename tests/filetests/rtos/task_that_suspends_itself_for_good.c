// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static TaskHandle_t other;

static void first(void *unused)
{
    vTaskSuspend(NULL);
    assert(0);
}

static void second(void *unused)
{
    for (;;)
        vTaskDelay(1);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, &other);
    xTaskCreate(second, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
