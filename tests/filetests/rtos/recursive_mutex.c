// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;
static int count;

static void first(void *unused)
{
    xSemaphoreTakeRecursive(mutex, portMAX_DELAY);
    xSemaphoreTakeRecursive(mutex, portMAX_DELAY);
    count++;
    xSemaphoreGiveRecursive(mutex);
    count++;
    xSemaphoreGiveRecursive(mutex);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    assert(xSemaphoreGiveRecursive(mutex) == pdFAIL);
    xSemaphoreTakeRecursive(mutex, portMAX_DELAY);
    assert(count == 0 || count == 2);
    xSemaphoreGiveRecursive(mutex);
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateRecursiveMutex();
    run(first, second);
    return 0;
}
