// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t left, right;

static void first(void *unused)
{
    for (;;) {
        xSemaphoreTake(left, portMAX_DELAY);
        xSemaphoreTake(right, portMAX_DELAY);
        xSemaphoreGive(right);
        xSemaphoreGive(left);
    }
}

static void second(void *unused)
{
    for (;;) {
        xSemaphoreTake(left, portMAX_DELAY);
        xSemaphoreTake(right, portMAX_DELAY);
        xSemaphoreGive(left);
        xSemaphoreGive(right);
    }
}

int main(void)
{
    left = xSemaphoreCreateMutex();
    right = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
