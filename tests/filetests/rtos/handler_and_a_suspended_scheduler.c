// kripke: check --interrupt tick
// verdict: violated
// violates: assertion@14
// Handlers come while the scheduler is suspended.

#include "FreeRTOS.h"

static volatile unsigned char count;

static void add(void)
{
    unsigned char before = count;
    count = before + 1;
    assert(count == (unsigned char)(before + 1));
}

void tick(void)
{
    add();
}

static void work(void *unused)
{
    for (;;) {
        vTaskSuspendAll();
        add();
        xTaskResumeAll();
    }
}

int main(void)
{
    xTaskCreate(work, "first", 128, NULL, 1, NULL);
    xTaskCreate(work, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
