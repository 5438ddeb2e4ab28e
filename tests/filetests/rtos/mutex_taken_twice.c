// kripke: check
// verdict: violated
// violates: main.deadlock.1

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;

static void first(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    xSemaphoreTake(mutex, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
