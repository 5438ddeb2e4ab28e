/* FreeRTOS: notifications of tasks, groups of events. A part of the module of freertos.c. */

/* Statements in a row: a loop would have to be unwound at each call. */
#define EACH_TASK(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8)

/* Notifications: a task has a few values, each with a word that says whether one has come that it has not
 * taken. */

#define NOTIFICATIONS 4
enum { NO_ACTION, SET_BITS, INCREMENT, SET_VALUE, SET_VALUE_IF_NONE };

static struct kripke_notification {
    uint32_t value;
    uint32_t received;
} notifications[TASKS][NOTIFICATIONS];

#if KRIPKE_INDEXED_NOTIFICATIONS
#define INDEX kripke_ubase index,
#else
#define INDEX
enum { index };
#endif

static struct kripke_notification *notification(struct kripke_task *task, kripke_ubase at)
{
    if (at >= NOTIFICATIONS)
        __kripke_unsupported("more than 4 notifications of a task");
    return &notifications[number_of(task)][at];
}

static kripke_base notify(struct kripke_notification *to, uint32_t value, int action, uint32_t *previous)
{
    kripke_base result = PASS;
    __kripke_thread_publishes();
    if (previous != NULL)
        *previous = to->value;
    switch (action) {
    case SET_BITS:
        to->value |= value;
        break;
    case INCREMENT:
        to->value++;
        break;
    case SET_VALUE:
        to->value = value;
        break;
    case SET_VALUE_IF_NONE:
        if (to->received)
            result = FAIL;
        else
            to->value = value;
        break;
    default:
        break;
    }
    to->received = 1;
    return result;
}

kripke_base xTaskGenericNotify(struct kripke_task *task, INDEX uint32_t value, int action, uint32_t *previous)
{
    may_switch();
    __kripke_assert(task != NULL, "a notification of no task");
    if (previous != NULL)
        __kripke_thread_races_to_write(previous, sizeof *previous);
    return notify(notification(task, index), value, action, previous);
}

kripke_base xTaskGenericNotifyFromISR(struct kripke_task *task, INDEX uint32_t value, int action,
                                      uint32_t *previous, kripke_base *woken)
{
    kripke_base result;
    may_switch();
    __kripke_assert(task != NULL, "a notification of no task");
    if (previous != NULL)
        __kripke_thread_races_to_write(previous, sizeof *previous);
    result = notify(notification(task, index), value, action, previous);
    tell_woken(woken);
    return result;
}

static void give_from_isr(struct kripke_task *task, kripke_ubase at, kripke_base *woken)
{
    may_switch();
    __kripke_assert(task != NULL, "a notification of no task");
    (void)notify(notification(task, at), 0, INCREMENT, NULL);
    tell_woken(woken);
}

void vTaskGenericNotifyGiveFromISR(struct kripke_task *task, kripke_ubase at, kripke_base *woken)
{
    give_from_isr(task, at, woken);
}

void vTaskNotifyGiveFromISR(struct kripke_task *task, kripke_base *woken)
{
    give_from_isr(task, 0, woken);
}

/* From one step to the next: the task waits. Whether one came meanwhile decides after that. */
static _Bool wait_for_notification(struct kripke_notification *own, kripke_ticks time)
{
    if (time == 0)
        return own->received;
    own->received = 0;
    return wait_for(&own->received, time);
}

static uint32_t take(kripke_ubase at, kripke_base clears, kripke_ticks time)
{
    struct kripke_notification *own = notification(NULL, at);
    uint32_t value;
    require_others(time);
    may_switch();
    __kripke_thread_waited();
    if (own->value == 0)
        (void)wait_for_notification(own, time);
    value = own->value;
    if (value != 0)
        own->value = clears ? 0 : value - 1;
    own->received = 0;
    return value;
}

uint32_t ulTaskGenericNotifyTake(kripke_ubase at, kripke_base clears, kripke_ticks time)
{
    return take(at, clears, time);
}

uint32_t ulTaskNotifyTake(kripke_base clears, kripke_ticks time)
{
    return take(0, clears, time);
}

static kripke_base wait(kripke_ubase at, uint32_t at_entry, uint32_t at_exit, uint32_t *value,
                        kripke_ticks time)
{
    struct kripke_notification *own = notification(NULL, at);
    _Bool received;
    require_others(time);
    may_switch();
    __kripke_thread_waited();
    received = own->received != 0;
    if (!received) {
        own->value &= ~at_entry;
        received = wait_for_notification(own, time);
    }
    if (value != NULL)
        __kripke_thread_races_to_write(value, sizeof *value);
    if (value != NULL)
        *value = own->value;
    if (received)
        own->value &= ~at_exit;
    own->received = 0;
    return received;
}

kripke_base xTaskGenericNotifyWait(kripke_ubase at, uint32_t at_entry, uint32_t at_exit, uint32_t *value,
                                   kripke_ticks time)
{
    return wait(at, at_entry, at_exit, value, time);
}

kripke_base xTaskNotifyWait(uint32_t at_entry, uint32_t at_exit, uint32_t *value, kripke_ticks time)
{
    return wait(0, at_entry, at_exit, value, time);
}

static kripke_base clear_state(struct kripke_task *task, kripke_ubase at)
{
    struct kripke_notification *own;
    kripke_base result;
    may_switch();
    own = notification(task, at);
    result = own->received != 0;
    own->received = 0;
    return result;
}

kripke_base xTaskGenericNotifyStateClear(struct kripke_task *task, kripke_ubase at)
{
    return clear_state(task, at);
}

kripke_base xTaskNotifyStateClear(struct kripke_task *task)
{
    return clear_state(task, 0);
}

static uint32_t clear_value(struct kripke_task *task, kripke_ubase at, uint32_t bits)
{
    struct kripke_notification *own;
    uint32_t value;
    may_switch();
    own = notification(task, at);
    value = own->value;
    own->value &= ~bits;
    return value;
}

uint32_t ulTaskGenericNotifyValueClear(struct kripke_task *task, kripke_ubase at, uint32_t bits)
{
    return clear_value(task, at, bits);
}

uint32_t ulTaskNotifyValueClear(struct kripke_task *task, uint32_t bits)
{
    return clear_value(task, 0, bits);
}

/* Groups of events. Whoever sets bits decides which tasks they let go on, and clears what these want to be
 * cleared: so a task has a word that says that it was woken, and the bits that it was woken by. */

#define CONTROL_BITS ((kripke_ticks)((kripke_ticks)0xff << (sizeof(kripke_ticks) * 8 - 8)))

struct kripke_event_group {
    kripke_ticks bits;
};

static struct kripke_waiting {
    struct kripke_event_group *group;
    kripke_ticks wanted;
    kripke_ticks result;
    uint32_t woken;
    _Bool clears;
    _Bool wants_all;
} waiting[TASKS];

void __kripke_forget_events(unsigned number)
{
    waiting[number].group = NULL;
}

static struct kripke_event_group *new_group(_Bool must_succeed)
{
    struct kripke_event_group *group = malloc(sizeof *group);
    may_switch();
    if (must_succeed)
        __kripke_assume(group != NULL);
    if (group != NULL)
        group->bits = 0;
    return group;
}

struct kripke_event_group *xEventGroupCreate(void)
{
    return new_group(0);
}

struct kripke_event_group *xEventGroupCreateStatic(void *group)
{
    __kripke_assert(group != NULL, "the memory for a group of events is null");
    return new_group(1);
}

static _Bool is_enough(kripke_ticks bits, kripke_ticks wanted, _Bool all)
{
    return all ? (bits & wanted) == wanted : (bits & wanted) != 0;
}

static void wake(struct kripke_waiting *task, kripke_ticks bits)
{
    task->result = bits;
    task->woken = 1;
    task->group = NULL;
}

static kripke_ticks set_bits(struct kripke_event_group *group, kripke_ticks bits)
{
    kripke_ticks cleared = 0;
    __kripke_thread_publishes();
    group->bits |= bits;
#define WAKE(task)                                                                                         \
    if (waiting[task].group == group                                                                       \
        && is_enough(group->bits, waiting[task].wanted, waiting[task].wants_all)) {                        \
        if (waiting[task].clears)                                                                          \
            cleared |= waiting[task].wanted;                                                               \
        wake(&waiting[task], group->bits);                                                                 \
    }
    EACH_TASK(WAKE)
#undef WAKE
    group->bits &= ~cleared;
    return group->bits;
}

static void require_bits(const struct kripke_event_group *group, kripke_ticks bits)
{
    __kripke_assert(group != NULL, "the group of events is null");
    __kripke_assert((bits & CONTROL_BITS) == 0, "bits that groups of events do not have");
}

kripke_ticks xEventGroupSetBits(struct kripke_event_group *group, kripke_ticks bits)
{
    require_bits(group, bits);
    may_switch();
    return set_bits(group, bits);
}

kripke_ticks xEventGroupClearBits(struct kripke_event_group *group, kripke_ticks bits)
{
    kripke_ticks before;
    require_bits(group, bits);
    may_switch();
    before = group->bits;
    group->bits &= ~bits;
    return before;
}

kripke_ticks xEventGroupGetBitsFromISR(struct kripke_event_group *group)
{
    __kripke_assert(group != NULL, "the group of events is null");
    may_switch();
    return group->bits;
}

/* The task waits from now on; `time` is not 0. */
static kripke_ticks wait_for_bits(struct kripke_event_group *group, kripke_ticks wanted, _Bool clears,
                                  _Bool all, kripke_ticks time)
{
    struct kripke_waiting *own = &waiting[__kripke_thread_self()];
    own->group = group;
    own->wanted = wanted;
    own->clears = clears;
    own->wants_all = all;
    own->woken = 0;
    if (!wait_for(&own->woken, time)) {
        kripke_ticks bits = group->bits;
        own->group = NULL;
        if (clears && is_enough(bits, wanted, all))
            group->bits &= ~wanted;
        return bits;
    }
    return own->result;
}

kripke_ticks xEventGroupWaitBits(struct kripke_event_group *group, kripke_ticks wanted, kripke_base clears,
                                 kripke_base all, kripke_ticks time)
{
    kripke_ticks bits;
    require_bits(group, wanted);
    __kripke_assert(wanted != 0, "xEventGroupWaitBits: no bits are waited for");
    require_others(time);
    may_switch();
    __kripke_thread_waited();
    bits = group->bits;
    if (is_enough(bits, wanted, all != 0)) {
        if (clears)
            group->bits &= ~wanted;
        return bits;
    }
    return time == 0 ? bits : wait_for_bits(group, wanted, clears != 0, all != 0, time);
}

kripke_ticks xEventGroupSync(struct kripke_event_group *group, kripke_ticks bits, kripke_ticks wanted,
                             kripke_ticks time)
{
    kripke_ticks reached;
    require_bits(group, wanted);
    __kripke_assert(wanted != 0, "xEventGroupSync: no bits are waited for");
    require_others(time);
    may_switch();
    __kripke_thread_waited();
    reached = group->bits | bits;
    (void)set_bits(group, bits);
    if (is_enough(reached, wanted, 1)) {
        group->bits &= ~wanted;
        return reached;
    }
    return time == 0 ? group->bits : wait_for_bits(group, wanted, 1, 1, time);
}

void vEventGroupDelete(struct kripke_event_group *group)
{
    may_switch();
    __kripke_assert(group != NULL, "vEventGroupDelete: the group of events is null");
#define WAKE(task)                                                                                         \
    if (waiting[task].group == group)                                                                      \
        wake(&waiting[task], 0);
    EACH_TASK(WAKE)
#undef WAKE
    free(group);
}
