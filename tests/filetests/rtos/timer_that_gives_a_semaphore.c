// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;

static void tick(TimerHandle_t timer)
{
    xSemaphoreGive(semaphore);
}

static void first(void *unused)
{
    for (;;) {
        xSemaphoreTake(semaphore, portMAX_DELAY);
        assert(uxQueueMessagesWaiting(semaphore) <= 1);
    }
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    TimerHandle_t timer = xTimerCreate("tick", 10, pdTRUE, NULL, tick);
    xTimerStart(timer, 0);
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
