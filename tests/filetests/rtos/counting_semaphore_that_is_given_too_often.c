// kripke: check
// verdict: violated
// violates: assertion@11

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;

static void first(void *unused)
{
    xSemaphoreGive(semaphore);
    assert(xSemaphoreGive(semaphore) == pdPASS);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreTake(semaphore, portMAX_DELAY);
    vTaskDelete(NULL);
}

int main(void)
{
    semaphore = xSemaphoreCreateCounting(1, 0);
    run(first, second);
    return 0;
}
