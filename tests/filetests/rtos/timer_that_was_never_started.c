// kripke: check
// verdict: violated
// violates: main.deadlock.1

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;

static void tick(TimerHandle_t timer)
{
    xSemaphoreGive(semaphore);
}

static void first(void *unused)
{
    xSemaphoreTake(semaphore, portMAX_DELAY);
    vTaskDelete(NULL);
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    xTimerCreate("tick", 10, pdTRUE, NULL, tick);
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
