// kripke: check
// verdict: violated
// violates: main.deadlock.1
// prints: thread 3 (second) waits in xQueueSemaphoreTake for thread 2

#include "FreeRTOS.h"
static SemaphoreHandle_t a, b;

static void first(void *unused)
{
    xSemaphoreTake(a, portMAX_DELAY);
    xSemaphoreTake(b, portMAX_DELAY);
    xSemaphoreGive(b);
    xSemaphoreGive(a);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreTake(b, portMAX_DELAY);
    xSemaphoreTake(a, portMAX_DELAY);
    xSemaphoreGive(a);
    xSemaphoreGive(b);
    vTaskDelete(NULL);
}

static void idle(void *unused)
{
    for (;;)
        vTaskDelay(1);
}

int main(void)
{
    a = xSemaphoreCreateMutex();
    b = xSemaphoreCreateMutex();
    xTaskCreate(idle, "idle", 100, NULL, 1, NULL);
    run(first, second);
    return 0;
}
