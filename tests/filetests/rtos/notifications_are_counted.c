// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static TaskHandle_t receiver;
static int data;

static void first(void *unused)
{
    xTaskNotifyGive(receiver);
    xTaskNotifyGive(receiver);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    uint32_t before = ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
    assert(before == 1 || before == 2);
    ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
    assert(ulTaskNotifyTake(pdTRUE, 0) == 0);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    xTaskCreate(second, "second", 128, NULL, 2, &receiver);
    vTaskStartScheduler();
    return 0;
}
