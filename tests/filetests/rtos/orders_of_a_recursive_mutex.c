// kripke: check --check lock-order
// verdict: violated
// violates: lock-order@25

#include "FreeRTOS.h"

static SemaphoreHandle_t one, other;
static TaskHandle_t waits;

static void first(void *unused)
{
    xSemaphoreTakeRecursive(one, portMAX_DELAY);
    xSemaphoreTake(other, portMAX_DELAY);
    xSemaphoreGive(other);
    xSemaphoreGiveRecursive(one);
    xTaskNotifyGive(waits);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    waits = xTaskGetCurrentTaskHandle();
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    xSemaphoreTake(other, portMAX_DELAY);
    xSemaphoreTakeRecursive(one, portMAX_DELAY);
    xSemaphoreGiveRecursive(one);
    xSemaphoreGive(other);
    vTaskDelete(NULL);
}

int main(void)
{
    one = xSemaphoreCreateRecursiveMutex();
    other = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
