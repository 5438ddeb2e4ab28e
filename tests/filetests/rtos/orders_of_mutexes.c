// kripke: check --check lock-order
// verdict: violated
// violates: lock-order@25

#include "FreeRTOS.h"

static SemaphoreHandle_t one, other;
static TaskHandle_t waits;

static void first(void *unused)
{
    xSemaphoreTake(one, portMAX_DELAY);
    xSemaphoreTake(other, portMAX_DELAY);
    xSemaphoreGive(other);
    xSemaphoreGive(one);
    xTaskNotifyGive(waits);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    waits = xTaskGetCurrentTaskHandle();
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    xSemaphoreTake(other, portMAX_DELAY);
    xSemaphoreTake(one, portMAX_DELAY);
    xSemaphoreGive(one);
    xSemaphoreGive(other);
    vTaskDelete(NULL);
}

int main(void)
{
    one = xSemaphoreCreateMutex();
    other = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
