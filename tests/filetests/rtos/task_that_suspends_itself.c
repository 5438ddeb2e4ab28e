// kripke: check
// verdict: violated
// violates: assertion@11

#include "FreeRTOS.h"
static TaskHandle_t other;

static void first(void *unused)
{
    vTaskSuspend(NULL);
    assert(0);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskResume(other);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, &other);
    xTaskCreate(second, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
