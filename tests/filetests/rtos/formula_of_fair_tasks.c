// kripke: check --check none --fair weak
// verdict: holds
// ltl: p: G F {data}

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;
static int data;

static void first(void *unused)
{
    for (;;) {
        xSemaphoreGive(semaphore);
        vTaskDelay(1);
    }
}

static void second(void *unused)
{
    for (;;) {
        xSemaphoreTake(semaphore, portMAX_DELAY);
        data = 1;
        data = 0;
    }
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    run(first, second);
    return 0;
}
