// kripke: check
// verdict: violated
// violates: main.deadlock.1

#include "FreeRTOS.h"
static TaskHandle_t other;
static SemaphoreHandle_t mutex;

static void first(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    xSemaphoreGive(mutex);
    for (;;)
        vTaskDelay(1);
}

static void second(void *unused)
{
    vTaskSuspend(other);
    xSemaphoreTake(mutex, portMAX_DELAY);
    vTaskResume(other);
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    xTaskCreate(first, "first", 128, NULL, 1, &other);
    xTaskCreate(second, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
