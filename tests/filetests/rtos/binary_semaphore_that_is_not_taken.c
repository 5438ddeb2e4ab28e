// kripke: check
// verdict: violated
// violates: assertion@19

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
    xSemaphoreTake(semaphore, 0);
    assert(data == 42);
    vTaskDelete(NULL);
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    run(first, second);
    return 0;
}
