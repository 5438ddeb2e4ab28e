// kripke: check
// verdict: violated
// violates: main.deadlock.1

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
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    xTaskCreate(second, "second", 128, NULL, 2, &receiver);
    vTaskStartScheduler();
    return 0;
}
