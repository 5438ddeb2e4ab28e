// kripke: check --check lock-order
// verdict: holds

#include "FreeRTOS.h"

static SemaphoreHandle_t one, other;

static void first(void *unused)
{
    xSemaphoreTake(one, portMAX_DELAY);
    xSemaphoreTake(other, portMAX_DELAY);
    xSemaphoreGive(other);
    xSemaphoreGive(one);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    xSemaphoreTake(other, portMAX_DELAY);
    if (xSemaphoreTake(one, 5))
        xSemaphoreGive(one);
    xSemaphoreGive(other);
    vTaskDelete(NULL);
}

int main(void)
{
    one = xSemaphoreCreateMutex();
    other = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
