// kripke: check
// verdict: holds
// Who was deleted waits for nobody, and what it waited for may be gone.

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex, other;
static TaskHandle_t waiting;

static void waits(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    xSemaphoreGive(mutex);
    for (;;)
        vTaskDelay(10);
}

static void deletes(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    vTaskDelete(waiting);
    xSemaphoreGive(mutex);
    vSemaphoreDelete(mutex);
    xSemaphoreTake(other, portMAX_DELAY);
    xSemaphoreGive(other);
    vTaskDelete(NULL);
}

static void idle(void *unused)
{
    for (;;)
        vTaskDelay(10);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    other = xSemaphoreCreateMutex();
    xTaskCreate(waits, "waits", 128, NULL, 1, &waiting);
    xTaskCreate(deletes, "deletes", 128, NULL, 2, NULL);
    xTaskCreate(idle, "idle", 128, NULL, 2, NULL);
    vTaskStartScheduler();
}
