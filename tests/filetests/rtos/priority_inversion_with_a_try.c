// kripke: check --check priority-inversion
// verdict: holds

#include "FreeRTOS.h"

static SemaphoreHandle_t lock;
static int shared;

static void low(void *unused)
{
    xSemaphoreTake(lock, portMAX_DELAY);
    shared++;
    xSemaphoreGive(lock);
    vTaskDelete(NULL);
}

static void middle(void *unused)
{
    vTaskDelay(1);
    vTaskDelete(NULL);
}

static void high(void *unused)
{
    if (xSemaphoreTake(lock, 0))
        xSemaphoreGive(lock);
    vTaskDelete(NULL);
}

int main(void)
{
    lock = xSemaphoreCreateBinary();
    xSemaphoreGive(lock);
    xTaskCreate(low, "low", 128, NULL, 1, NULL);
    xTaskCreate(middle, "middle", 128, NULL, 2, NULL);
    xTaskCreate(high, "high", 128, NULL, 3, NULL);
    vTaskStartScheduler();
    return 0;
}
