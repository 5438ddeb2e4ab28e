// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;
static int data;

static void first(void *unused)
{
    data = 42;
    xSemaphoreGive(semaphore);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreTake(semaphore, portMAX_DELAY);
    assert(data == 42);
    vTaskDelete(NULL);
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    run(first, second);
    return 0;
}
