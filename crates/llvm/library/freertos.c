/* FreeRTOS: tasks, the scheduler, critical sections. Queues, notifications, event groups and timers are in
 * freertos_queues.c, freertos_events.c and freertos_timers.c, which follow in the same module.
 *
 * Idea: a task is a thread. Whatever keeps other tasks from running (a critical section, a suspended
 * scheduler, the time before the scheduler starts) is one section that is done at once; what priorities and
 * ticks decide is left to the schedule. A call with a finite time to wait gives up at a moment that the
 * schedule chooses: it is at its switch as long as it waits.
 *
 * Invariant: each run of the tasks on a processor with one core is a run here; there are more, as any task
 * that is ready may run.
 *
 * The front end defines, before this text, what depends on the port and on the version: the widths of
 * BaseType_t (KRIPKE_BASE_BITS) and TickType_t (KRIPKE_TICK_BITS), whether notifications have an index, and
 * which parts of the kernel the program uses (crates/llvm/src/rtos.rs).
 *
 * Source: the reference manual of the FreeRTOS kernel, versions 8 to 11; where that leaves a choice, what the
 * kernel does. */

#ifndef KRIPKE_USES_TIMERS
#define KRIPKE_USES_TIMERS 1
#define KRIPKE_READS_TIME 1
#define KRIPKE_DELETES_OTHERS 1
#define KRIPKE_STARTS_SCHEDULER 1
#define KRIPKE_INDEXED_NOTIFICATIONS 1
#endif

#define TASKS 9

#if KRIPKE_BASE_BITS == 8
typedef signed char kripke_base;
typedef unsigned char kripke_ubase;
#elif KRIPKE_BASE_BITS == 16
typedef short kripke_base;
typedef unsigned short kripke_ubase;
#elif KRIPKE_BASE_BITS == 64
typedef long long kripke_base;
typedef unsigned long long kripke_ubase;
#else
typedef int32_t kripke_base;
typedef uint32_t kripke_ubase;
#endif

#if KRIPKE_TICK_BITS == 16
typedef uint16_t kripke_ticks;
#elif KRIPKE_TICK_BITS == 64
typedef uint64_t kripke_ticks;
#else
typedef uint32_t kripke_ticks;
#endif

#define FOREVER ((kripke_ticks)-1)
enum { FAIL, PASS };
#define NO_MEMORY (-1)

enum { NO_TASK, ALIVE, DELETED };

#define PRIORITY(thread) tasks[thread].priority

struct kripke_task {
    const char *name;
    kripke_ubase priority;
    unsigned char state;
};

static struct kripke_task tasks[TASKS] = {{"main", 0, ALIVE}};

/* What keeps others from running: how many of them there are that keep handlers of interrupts, too, and
 * which. */
static uint32_t alone;
static uint32_t critical_sections;
static uint32_t suspensions;
static _Bool interrupts_disabled;
static _Bool is_set_up;
static _Bool runs;

static void begin_alone(void)
{
    if (alone == 0)
        __kripke_thread_section_begins();
    alone++;
}

static void end_alone(void)
{
    if (--alone == 0)
        __kripke_thread_section_ends();
}

/* Handlers may come while the scheduler is suspended. */
static void begin_suspension(void)
{
    if (suspensions == 0)
        __kripke_thread_suspends_others();
    suspensions++;
}

static void end_suspension(void)
{
    if (--suspensions == 0)
        __kripke_thread_resumes_others();
}

/* No other task can run. */
static _Bool is_alone(void)
{
    return alone != 0 || suspensions != 0;
}

static void may_switch(void)
{
    if (alone == 0)
        __kripke_thread_switch();
}

/* A call that may block: the kernel cannot switch to another task where none may run. */
static void require_others(kripke_ticks time)
{
    __kripke_assert(time == 0 || suspensions == 0, "a call that may block while the scheduler is suspended");
    __kripke_assert(time == 0 || critical_sections == 0, "a call that may block in a critical section");
}

/* Waits until the word is not zero, as long as the time allows. Is it? */
static _Bool wait_for(const uint32_t *word, kripke_ticks time)
{
    require_others(time);
    if (time == FOREVER && !is_alone()) {
        __kripke_thread_wait_nonzero(word);
        return 1;
    }
    may_switch();
    __kripke_assert(*word != 0 || time == 0 || !is_alone(), "a call blocks where no other task can run");
    if (time == FOREVER && *word == 0)
        __kripke_unsupported("a call that blocks where no other task can run");
    return *word != 0;
}

/* Scheduling an ISR's wake-up: whether a task of a higher priority became ready is left open. */
static void tell_woken(kripke_base *woken)
{
    if (woken != NULL && __kripke_nondet_bool("pxHigherPriorityTaskWoken"))
        *woken = 1;
}

/* Tasks. */

/* The running task in the words that say who holds something. */
static uint32_t myself(void)
{
    return __kripke_thread_self() + 1;
}

static unsigned number_of(const struct kripke_task *task)
{
    unsigned number = task == NULL ? __kripke_thread_self() : (unsigned)(task - tasks);
    __kripke_assert(tasks[number].state == ALIVE, "there is no such task");
    return number;
}

static void finish(void *result)
{
    (void)result;
    __kripke_assert(0, "a task returns from its function instead of deleting itself");
}

/* Before the scheduler starts, nobody runs but who creates tasks. */
static void prepare_creation(void)
{
#if !KRIPKE_STARTS_SCHEDULER
    __kripke_unsupported("tasks of a program that does not start the scheduler");
#endif
    __kripke_rely(1, "xTaskCreate and the like succeed");
    may_switch();
    if (!runs && !is_set_up) {
        is_set_up = 1;
        begin_alone();
    }
}

static void note_task(unsigned number, const char *name, kripke_ubase priority)
{
    if (number >= TASKS)
        __kripke_unsupported("more than 8 tasks");
    tasks[number].name = name;
    tasks[number].priority = priority;
    tasks[number].state = ALIVE;
}

static kripke_base create(void (*function)(void *), const char *name, void *argument, kripke_ubase priority,
                          struct kripke_task **handle)
{
    unsigned number;
    prepare_creation();
    __kripke_thread_publishes();
    number = __kripke_thread_create((void *(*)(void *))function, argument, finish);
    note_task(number, name, priority);
    if (handle != NULL) {
        __kripke_thread_races_to_write(handle, sizeof *handle);
        *handle = &tasks[number];
    }
    return PASS;
}

kripke_base xTaskCreate(void (*function)(void *), const char *name, size_t depth, void *argument,
                        kripke_ubase priority, struct kripke_task **handle)
{
    (void)depth;
    return create(function, name, argument, priority, handle);
}

kripke_base xTaskGenericCreate(void (*function)(void *), const char *name, uint16_t depth, void *argument,
                               kripke_ubase priority, struct kripke_task **handle, void *stack,
                               const void *regions)
{
    (void)depth;
    (void)stack;
    (void)regions;
    return create(function, name, argument, priority, handle);
}

struct kripke_task *xTaskCreateStatic(void (*function)(void *), const char *name, uint32_t depth,
                                      void *argument, kripke_ubase priority, void *stack, void *task)
{
    struct kripke_task *handle;
    (void)depth;
    __kripke_assert(stack != NULL, "xTaskCreateStatic: the stack is null");
    __kripke_assert(task != NULL, "xTaskCreateStatic: the memory for the task is null");
    create(function, name, argument, priority, &handle);
    return handle;
}

void __kripke_forget_events(unsigned number);

void vTaskDelete(struct kripke_task *task)
{
    unsigned number;
    may_switch();
    number = number_of(task);
    tasks[number].state = DELETED;
    if (number == __kripke_thread_self()) {
        if (is_alone())
            __kripke_unsupported("a task that deletes itself where no other can run");
        __kripke_thread_end();
    }
#if KRIPKE_DELETES_OTHERS
    __kripke_rely(1, "local variables of tasks that others delete are not used afterwards");
    __kripke_forget_events(number);
    __kripke_thread_hold(number, 2);
#else
    __kripke_unsupported("a task that deletes another one");
#endif
}

void vTaskSuspend(struct kripke_task *task)
{
    unsigned number;
    may_switch();
    number = number_of(task);
    __kripke_thread_hold(number, 1);
    if (number != __kripke_thread_self())
        return;
    __kripke_assert(suspensions == 0, "vTaskSuspend: the scheduler is suspended");
    __kripke_thread_waited();
    if (is_alone())
        __kripke_unsupported("a task that suspends itself where no other can run");
    __kripke_thread_switch();
}

void vTaskResume(struct kripke_task *task)
{
    unsigned number;
    may_switch();
    __kripke_assert(task != NULL, "vTaskResume: the task is null");
    number = number_of(task);
    __kripke_thread_publishes();
    if (number != __kripke_thread_self())
        __kripke_thread_hold(number, 0);
}

kripke_base xTaskResumeFromISR(struct kripke_task *task)
{
    vTaskResume(task);
    return __kripke_nondet_bool("xTaskResumeFromISR");
}

void vTaskDelay(kripke_ticks time)
{
    __kripke_assert(runs, "vTaskDelay: the scheduler does not run");
    require_others(time);
    may_switch();
}

/* Whether the time was over already is left open. */
kripke_base xTaskDelayUntil(kripke_ticks *last, kripke_ticks increment)
{
    __kripke_assert(increment > 0, "xTaskDelayUntil: the increment is zero");
    vTaskDelay(1);
    __kripke_thread_races_to_write(last, sizeof *last);
    *last += increment;
    return __kripke_nondet_bool("xTaskDelayUntil");
}

void vTaskDelayUntil(kripke_ticks *last, kripke_ticks increment)
{
    (void)xTaskDelayUntil(last, increment);
}

/* Macros ask for the time to give it to the timers, which do not need it; what is remembered of the time
 * would make all states differ. */
#if KRIPKE_READS_TIME
static kripke_ticks last_time;

kripke_ticks xTaskGetTickCount(void)
{
    kripke_ticks now;
    may_switch();
    now = (kripke_ticks)__kripke_nondet_ullong("xTaskGetTickCount");
    __kripke_rely(now >= last_time, "xTaskGetTickCount: the count of ticks does not overflow");
    last_time = now;
    return now;
}
#else
kripke_ticks xTaskGetTickCount(void)
{
    return 0;
}
#endif

kripke_ticks xTaskGetTickCountFromISR(void)
{
    return xTaskGetTickCount();
}

struct kripke_task *xTaskGetCurrentTaskHandle(void)
{
    return &tasks[__kripke_thread_self()];
}

const char *pcTaskGetName(struct kripke_task *task)
{
    may_switch();
    return tasks[number_of(task)].name;
}

const char *pcTaskGetTaskName(struct kripke_task *task)
{
    return pcTaskGetName(task);
}

kripke_ubase uxTaskPriorityGet(struct kripke_task *task)
{
    may_switch();
    return tasks[number_of(task)].priority;
}

void vTaskPrioritySet(struct kripke_task *task, kripke_ubase priority)
{
    may_switch();
    tasks[number_of(task)].priority = priority;
}

/* Of another task that lives: 1 is ready, 2 is blocked, 3 is suspended. */
int eTaskGetState(struct kripke_task *task)
{
    int any;
    may_switch();
    __kripke_assert(task != NULL, "eTaskGetState: the task is null");
    if (task->state == DELETED)
        return 4;
    if (task == &tasks[__kripke_thread_self()])
        return 0;
    any = __kripke_nondet_uchar("eTaskGetState");
    __kripke_assume(any >= 1 && any <= 3);
    return any;
}

/* How much of a stack was used nobody knows. */
kripke_ubase uxTaskGetStackHighWaterMark(struct kripke_task *task)
{
    may_switch();
    (void)number_of(task);
    return (kripke_ubase)__kripke_nondet_ullong("uxTaskGetStackHighWaterMark");
}

/* With the tasks of the kernel. */
kripke_ubase uxTaskGetNumberOfTasks(void)
{
    return (kripke_ubase)__kripke_nondet_ullong("uxTaskGetNumberOfTasks");
}

/* The scheduler. */

#if KRIPKE_USES_TIMERS
static void *run_timers(void *unused);

static void __kripke_priority_of_timers(void)
{
    __kripke_rely(1, "FreeRTOS: the task of the timers takes no part in priority inversions");
}
#endif

void vTaskStartScheduler(void)
{
    __kripke_assert(!runs, "vTaskStartScheduler: the scheduler runs already");
    __kripke_rely(1, "FreeRTOS: any task that is ready may run, also where one of higher priority is ready");
    __kripke_rely(1, "FreeRTOS: no hooks run beside the tasks, and only handlers that are named");
#if KRIPKE_USES_TIMERS
    __kripke_priority_of_timers();
#endif
#if KRIPKE_USES_TIMERS
    if (!is_set_up)
        begin_alone();
    is_set_up = 1;
    {
        unsigned number = __kripke_thread_create(run_timers, NULL, finish);
        tasks[number].state = ALIVE;
        __kripke_thread_hold(number, 3);
    }
#endif
    critical_sections = 0;
    interrupts_disabled = 0;
    runs = 1;
    if (suspensions != 0) {
        suspensions = 0;
        __kripke_thread_resumes_others();
    }
    if (alone != 0) {
        alone = 0;
        __kripke_thread_section_ends();
    }
    /* What main has on its stack stays. */
    __kripke_thread_hold(0, 2);
    __kripke_thread_switch();
}

void vTaskEndScheduler(void)
{
    __kripke_unsupported("vTaskEndScheduler");
}

kripke_base xTaskGetSchedulerState(void)
{
    return !runs ? 1 : suspensions != 0 ? 0 : 2;
}

void vTaskSuspendAll(void)
{
    begin_suspension();
}

kripke_base xTaskResumeAll(void)
{
    __kripke_assert(suspensions != 0, "xTaskResumeAll: the scheduler is not suspended");
    end_suspension();
    return runs && __kripke_nondet_bool("xTaskResumeAll");
}

/* Functions that macros of ports call. */

void vPortEnterCritical(void)
{
    begin_alone();
    critical_sections++;
}

void vPortExitCritical(void)
{
    __kripke_assert(critical_sections != 0, "the end of a critical section that did not begin");
    critical_sections--;
    end_alone();
}

void vTaskEnterCritical(void)
{
    vPortEnterCritical();
}

void vTaskExitCritical(void)
{
    vPortExitCritical();
}

/* They do not nest. */
void vPortDisableInterrupts(void)
{
    if (interrupts_disabled)
        return;
    begin_alone();
    interrupts_disabled = 1;
}

void vPortEnableInterrupts(void)
{
    if (!interrupts_disabled)
        return;
    interrupts_disabled = 0;
    end_alone();
}

kripke_ubase xPortSetInterruptMask(void)
{
    kripke_ubase mask = interrupts_disabled;
    vPortDisableInterrupts();
    return mask;
}

void vPortClearInterruptMask(kripke_ubase mask)
{
    if (mask == 0)
        vPortEnableInterrupts();
}

/* The mask of a Cortex-M: what is not zero disables. */
void __kripke_port_set_mask(kripke_ubase mask)
{
    if (mask == 0)
        vPortEnableInterrupts();
    else
        vPortDisableInterrupts();
}

/* The status of an AVR is what it was before the critical section. */
void __kripke_port_restore(void)
{
    if (critical_sections == 0)
        vPortEnableInterrupts();
}

kripke_base __kripke_port_is_inside_interrupt(void)
{
    return __kripke_thread_interrupts() != 0;
}

void vPortYield(void)
{
    may_switch();
}

void vPortYieldFromISR(void)
{
    may_switch();
}

void *pvPortMalloc(size_t size)
{
    return malloc(size);
}

void vPortFree(void *memory)
{
    free(memory);
}

size_t xPortGetFreeHeapSize(void)
{
    return __kripke_nondet_size("xPortGetFreeHeapSize");
}

size_t xPortGetMinimumEverFreeHeapSize(void)
{
    return __kripke_nondet_size("xPortGetMinimumEverFreeHeapSize");
}
