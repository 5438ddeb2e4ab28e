// kripke: check
// verdict: violated
// violates: main.deadlock.1
// A task waits already when the one that holds the mutex is deleted.

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex, held, asked;
static TaskHandle_t holder;

static void waits(void *unused)
{
    SemaphoreHandle_t own = mutex, next = asked;
    xSemaphoreTake(held, portMAX_DELAY);
    xSemaphoreGive(next);
    xSemaphoreTake(own, portMAX_DELAY);
    for (;;)
        vTaskDelay(10);
}

static void holds(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    xSemaphoreGive(held);
    for (;;)
        vTaskDelay(10);
}

static void deletes(void *unused)
{
    xSemaphoreTake(asked, portMAX_DELAY);
    vTaskDelete(holder);
    for (;;)
        vTaskDelay(10);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    held = xSemaphoreCreateBinary();
    asked = xSemaphoreCreateBinary();
    xTaskCreate(waits, "waits", 128, NULL, 1, NULL);
    xTaskCreate(holds, "holds", 128, NULL, 2, &holder);
    xTaskCreate(deletes, "deletes", 128, NULL, 2, NULL);
    vTaskStartScheduler();
}
