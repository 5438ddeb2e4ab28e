// kripke: check
// verdict: holds
// No other task runs while the scheduler is suspended; no handler is named.

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
