// verdict: violated
// Tasks check in before the watchdog is fed; a task that was suspended keeps its failures when it is resumed.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define TASKS 3
#define MISSES_MAX 3

uint8_t __VERIFIER_nondet_uchar(void);

struct watched {
    bool enabled, alive;
    uint8_t misses;
};

static struct watched tasks[TASKS] = {{true, false, 0}, {true, false, 0}, {false, false, 0}};
static uint8_t feeds, resets;

static void check_in(uint8_t task) {
    if (tasks[task].enabled) {
        tasks[task].alive = true;
        tasks[task].misses = 0;
    }
}

static void suspend(uint8_t task) {
    tasks[task].enabled = false;
    tasks[task].misses = MISSES_MAX;
}

static void resume(uint8_t task) {
    tasks[task].enabled = true;
    tasks[task].alive = false;
}

static bool all_alive(void) {
    bool alive = true;
    for (uint8_t i = 0; i < TASKS; i++) {
        struct watched *task = &tasks[i];
        if (task->enabled && !task->alive) {
            task->misses++;
            alive = false;
        }
        task->alive = false;
    }
    return alive;
}

static void period(void) {
    if (all_alive())
        feeds++;
    for (uint8_t i = 0; i < TASKS; i++) {
        if (tasks[i].misses == MISSES_MAX && tasks[i].enabled) {
            resets++;
            tasks[i].misses = 0;
        }
    }
}

int main(void) {
    for (;;) {
        uint8_t command = __VERIFIER_nondet_uchar();
        uint8_t task = (command >> 2) % TASKS;
        switch (command & 3) {
        case 0: check_in(task); break;
        case 1: suspend(task); break;
        case 2: resume(task); break;
        case 3: period(); break;
        }
        assert(tasks[task].misses <= MISSES_MAX);
    }
}
