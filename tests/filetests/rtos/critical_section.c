// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static int count;
static volatile int done;

static void work(void)
{
    taskENTER_CRITICAL();
    count++;
    taskEXIT_CRITICAL();
    taskENTER_CRITICAL();
    done++;
    assert(done < 2 || count == 2);
    taskEXIT_CRITICAL();
}

static void first(void *unused)
{
    work();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    work();
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
