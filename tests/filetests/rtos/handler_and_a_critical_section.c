// kripke: check --interrupt tick
// verdict: holds
// A critical section keeps handlers and tasks.

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
        taskENTER_CRITICAL();
        add();
        taskEXIT_CRITICAL();
    }
}

int main(void)
{
    xTaskCreate(work, "first", 128, NULL, 1, NULL);
    xTaskCreate(work, "second", 128, NULL, 1, NULL);
    vTaskStartScheduler();
}
