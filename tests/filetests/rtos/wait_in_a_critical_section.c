// kripke: check
// verdict: violated
// violates: library-contract@11

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;

static void first(void *unused)
{
    taskENTER_CRITICAL();
    xSemaphoreTake(mutex, portMAX_DELAY);
    taskEXIT_CRITICAL();
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
