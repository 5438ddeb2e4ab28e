// kripke: check
// verdict: violated
// violates: assertion@9

#include "FreeRTOS.h"
static void first(void *unused)
{
    TickType_t before = xTaskGetTickCount();
    assert(xTaskGetTickCount() - before < 100);
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
