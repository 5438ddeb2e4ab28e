// kripke: check --check atomicity
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;
static int sum;

static void first(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    sum++;
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    sum++;
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
