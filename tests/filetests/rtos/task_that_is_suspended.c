// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static TaskHandle_t other;
static volatile int steps;

static void first(void *unused)
{
    for (int i = 0; i < 3; i++)
        steps++;
    for (;;)
        vTaskDelay(1);
}

static void second(void *unused)
{
    int before;
    vTaskSuspend(other);
    before = steps;
    vTaskDelay(10);
    assert(steps == before);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, &other);
    xTaskCreate(second, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
