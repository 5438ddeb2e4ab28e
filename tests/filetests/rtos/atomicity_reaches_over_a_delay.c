// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@18

#include "FreeRTOS.h"
static int level, seen;

static void first(void *unused)
{
    level = 2;
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    seen = level;
    vTaskDelay(1);
    level = seen + 1;
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
