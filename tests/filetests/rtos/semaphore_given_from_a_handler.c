// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;
static int data;

static void first(void *unused)
{
    BaseType_t woken = pdFALSE;
    data = 1;
    xSemaphoreGiveFromISR(semaphore, &woken);
    if (woken)
        taskYIELD();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreTake(semaphore, portMAX_DELAY);
    assert(data == 1);
    vTaskDelete(NULL);
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    run(first, second);
    return 0;
}
