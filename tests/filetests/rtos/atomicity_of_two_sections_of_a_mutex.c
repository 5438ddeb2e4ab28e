// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@24

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;
static int sum;

static void first(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    sum = 0;
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int old;
    xSemaphoreTake(mutex, portMAX_DELAY);
    old = sum;
    xSemaphoreGive(mutex);
    xSemaphoreTake(mutex, portMAX_DELAY);
    sum = old + 1;
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
