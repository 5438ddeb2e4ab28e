/* FreeRTOS: software timers. A part of the module of freertos.c.
 *
 * Idea: one thread calls the functions of all timers, one after the other, in any order and at any time
 * while they are active. A command takes effect when that thread comes to it: until then a timer that was
 * active may still fire, and one that was started may not be active yet.
 *
 * Invariant: `work` is the number of timers that are active or have a command that was not come to. */

#if KRIPKE_USES_TIMERS

#define TIMERS 8
enum { EXECUTE_NOW = -1, START_WITHOUT_TRACE, START, RESET, STOP, CHANGE_PERIOD, DELETE };
/* From here on the commands START to CHANGE_PERIOD of handlers of interrupts. */
#define FROM_ISR 6

static struct kripke_timer {
    const char *name;
    void (*function)(struct kripke_timer *);
    void *id;
    kripke_ticks period;
    _Bool is_deleted;
    _Bool repeats;
    _Bool active;
    _Bool has_command;
    _Bool lingers; /* it was active, and the command was not come to */
} timers[TIMERS];
static unsigned timer_count;
static uint32_t work;

static _Bool has_work(const struct kripke_timer *timer)
{
    return timer->active | timer->has_command;
}

static void *run_timers(void *unused)
{
    (void)unused;
    for (;;) {
        struct kripke_timer *timer;
        unsigned number = 0;
        __kripke_thread_wait_nonzero(&work);
        while (number + 1 < timer_count && (!has_work(&timers[number]) || __kripke_nondet_bool("timer")))
            number++;
        timer = &timers[number];
        __kripke_assume(has_work(timer));
        if (timer->lingers && __kripke_nondet_bool("a timer fires before its command is executed")) {
            timer->lingers = timer->repeats;
        } else {
            _Bool fires = timer->active;
            timer->lingers = 0;
            timer->has_command = 0;
            timer->active = fires && timer->repeats;
            if (!timer->active)
                work--;
            if (!fires)
                continue;
        }
        timer->function(timer);
    }
}

static struct kripke_timer *new_timer(const char *name, kripke_ticks period, kripke_base repeats, void *id,
                                      void (*function)(struct kripke_timer *))
{
    struct kripke_timer *timer;
    may_switch();
    __kripke_assert(period > 0, "xTimerCreate: the period is zero");
    __kripke_assert(function != NULL, "xTimerCreate: the function is null");
    if (timer_count == TIMERS)
        __kripke_unsupported("more than 8 timers");
    timer = &timers[timer_count++];
    timer->name = name;
    timer->period = period;
    timer->repeats = repeats != 0;
    timer->id = id;
    timer->function = function;
    return timer;
}

struct kripke_timer *xTimerCreate(const char *name, kripke_ticks period, kripke_base repeats, void *id,
                                  void (*function)(struct kripke_timer *))
{
    __kripke_rely(1, "xTaskCreate and the like succeed");
    return new_timer(name, period, repeats, id, function);
}

struct kripke_timer *xTimerCreateStatic(const char *name, kripke_ticks period, kripke_base repeats, void *id,
                                        void (*function)(struct kripke_timer *), void *timer)
{
    __kripke_assert(timer != NULL, "the memory for a timer is null");
    return new_timer(name, period, repeats, id, function);
}

static void require_timer(const struct kripke_timer *timer)
{
    __kripke_assert(timer != NULL, "the timer is null");
    __kripke_assert(!timer->is_deleted, "the timer was deleted");
}

static kripke_base command(struct kripke_timer *timer, kripke_base what, kripke_ticks value)
{
    may_switch();
    require_timer(timer);
    __kripke_thread_publishes();
    __kripke_rely(1, "FreeRTOS: the queue of the timers' commands is never full");
    if (!has_work(timer))
        work++;
    timer->lingers |= timer->active;
    if (what == CHANGE_PERIOD)
        timer->period = value;
    if (what < START_WITHOUT_TRACE)
        __kripke_unsupported("xTimerPendFunctionCall");
    timer->has_command = 1;
    timer->active = what != STOP && what != DELETE;
    timer->is_deleted = what == DELETE;
    return PASS;
}

kripke_base xTimerGenericCommandFromTask(struct kripke_timer *timer, kripke_base what, kripke_ticks value,
                                         kripke_base *woken, kripke_ticks time)
{
    (void)woken;
    if (runs)
        require_others(time);
    return command(timer, what, value);
}

kripke_base xTimerGenericCommandFromISR(struct kripke_timer *timer, kripke_base what, kripke_ticks value,
                                        kripke_base *woken, kripke_ticks time)
{
    kripke_base result;
    (void)time;
    result = command(timer, what - FROM_ISR + START, value);
    tell_woken(woken);
    return result;
}

kripke_base xTimerGenericCommand(struct kripke_timer *timer, kripke_base what, kripke_ticks value,
                                 kripke_base *woken, kripke_ticks time)
{
    return what >= FROM_ISR ? xTimerGenericCommandFromISR(timer, what, value, woken, time)
                            : xTimerGenericCommandFromTask(timer, what, value, woken, time);
}

kripke_base xTimerIsTimerActive(struct kripke_timer *timer)
{
    may_switch();
    require_timer(timer);
    return timer->has_command ? __kripke_nondet_bool("xTimerIsTimerActive") : timer->active;
}

/* Who calls a timer's function may use the timer although it was deleted meanwhile. */
void *pvTimerGetTimerID(const struct kripke_timer *timer)
{
    may_switch();
    __kripke_assert(timer != NULL, "the timer is null");
    return timer->id;
}

void vTimerSetTimerID(struct kripke_timer *timer, void *id)
{
    may_switch();
    __kripke_assert(timer != NULL, "the timer is null");
    timer->id = id;
}

const char *pcTimerGetName(struct kripke_timer *timer)
{
    __kripke_assert(timer != NULL, "the timer is null");
    return timer->name;
}

kripke_ticks xTimerGetPeriod(struct kripke_timer *timer)
{
    may_switch();
    require_timer(timer);
    return timer->period;
}

#endif
