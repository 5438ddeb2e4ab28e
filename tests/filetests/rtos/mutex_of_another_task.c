// kripke: check
// verdict: violated
// violates: library-contract@18

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;

static void first(void *unused)
{
    xSemaphoreTake(mutex, portMAX_DELAY);
    vTaskDelay(10);
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreGive(mutex);
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
