// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static int ready;

static void first(void *unused)
{
    assert(ready == 2);
    assert(xTaskGetSchedulerState() == 2);
    vTaskDelete(NULL);
}

int main(void)
{
    static StaticTask_t task;
    static StackType_t stack[100];
    assert(xTaskGetSchedulerState() == 1);
    ready = 1;
    assert(xTaskCreate(first, "first", 128, NULL, 1, NULL) == pdPASS);
    xTaskCreateStatic(first, "second", 100, NULL, 1, stack, &task);
    ready = 2;
    vTaskStartScheduler();
    assert(0);
    return 0;
}
