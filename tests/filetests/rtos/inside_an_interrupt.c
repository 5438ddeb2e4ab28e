// kripke: check --interrupt tick
// verdict: holds
// A function that both call can ask who calls it.

#include "FreeRTOS.h"

BaseType_t xPortIsInsideInterrupt(void);

static volatile BaseType_t by_handler, by_task;

static void note(void)
{
    if (xPortIsInsideInterrupt())
        by_handler = pdTRUE;
    else
        by_task = pdTRUE;
}

void tick(void)
{
    BaseType_t before = by_task;
    note();
    assert(by_task == before);
}

static void work(void *unused)
{
    note();
    assert(by_task);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(work, "work", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
