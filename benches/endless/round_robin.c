// verdict: holds
// A cooperative scheduler: tasks in a table, each with a period and the ticks that are left.
#include <assert.h>
#include <stdint.h>

uint8_t __VERIFIER_nondet_uchar(void);

struct task {
    void (*run)(void);
    uint16_t period, left;
};

static uint8_t led, watchdog_feeds;
static uint16_t samples;

static void blink(void) {
    led ^= 1;
}

static void measure(void) {
    if (samples < 1000)
        samples++;
}

static void supervise(void) {
    if (samples > 0)
        samples--;
    watchdog_feeds++;
}

static struct task tasks[] = {
    {blink, 500, 500},
    {measure, 10, 3},
    {supervise, 25, 7},
};
#define TASKS (sizeof tasks / sizeof tasks[0])

static void tick(uint8_t elapsed) {
    for (struct task *task = tasks; task < tasks + TASKS; task++) {
        if (task->left > elapsed) {
            task->left -= elapsed;
        } else {
            uint16_t late = elapsed - task->left;
            task->run();
            task->left = task->period - late % task->period;
        }
    }
}

int main(void) {
    uint8_t shown = 0;
    for (;;) {
        tick(__VERIFIER_nondet_uchar());
        assert(tasks[shown].left >= 1);
        assert(tasks[shown].left <= tasks[shown].period);
        assert(led <= 1 && samples <= 1000);
        shown = (uint8_t)((shown + 1) % TASKS);
    }
}
