
/* A handler is called by the access before which its turn begins, or where interrupts are enabled after that.
 * Handlers that nothing masks come only then, too. */
static unsigned kripke_depth;
static int kripke_masked;

static unsigned kripke_runner(void) {
    return kripke_depth;
}

/* Handlers run on the stack of what they interrupt. */
static unsigned kripke_stack(void) {
    return 0;
}

static void kripke_point(void) {
    while (kripke_ready && !kripke_masked && kripke_now + 1 < KRIPKE_TURNS &&
           kripke_turns[kripke_now].runner == kripke_depth && !kripke_turns[kripke_now].returns &&
           kripke_is_done()) {
        void (*handler)(void);
        kripke_next_turn();
        handler = (void (*)(void))kripke_symbol(kripke_turns[kripke_now].begins, 0, 2);
        kripke_depth++;
        handler();
        kripke_point();
        if (kripke_turns[kripke_now].runner != kripke_depth || !kripke_turns[kripke_now].returns)
            kripke_leaves("the handler returns");
        kripke_depth--;
        kripke_next_turn();
    }
#ifdef KRIPKE_SHOWS
    if (kripke_ready && kripke_now + 1 == KRIPKE_TURNS && kripke_turns[kripke_now].last.count &&
        kripke_is_done())
        kripke_violated(KRIPKE_SHOWS);
#endif
}

void *sbrk(ptrdiff_t more);
extern char __data_start;

/* Nothing that a handler can tell lies between the last access of a turn and the handler, so one that is
 * still masked at the next access to a global or the heap comes too late. */
static void kripke_check_turn(const volatile void *at) {
    const volatile char *from = at;
    if (kripke_ready && kripke_masked && kripke_now + 1 < KRIPKE_TURNS &&
        kripke_turns[kripke_now].runner == kripke_depth && !kripke_turns[kripke_now].returns &&
        kripke_is_done() && from >= &__data_start && from < (char *)sbrk(0))
        kripke_leaves("interrupts are disabled where a handler comes");
}

static void kripke_mask(int masked) {
    kripke_masked = masked;
    kripke_point();
}

/* A function of the program begins, or ends (-finstrument-functions): what disables interrupts does
 * so at its end. */
static void kripke_control(const void *function, int ends) {
    for (unsigned index = 0; kripke_ready && kripke_controls[index].name; index++)
        if ((ends || kripke_controls[index].enables) &&
            kripke_value(kripke_controls[index].name, 0, 2) &&
            function == kripke_symbol(kripke_controls[index].name, 0, 2))
            kripke_masked = !kripke_controls[index].enables;
    kripke_point();
}

void __cyg_profile_func_enter(void *function, void *caller) {
    (void)caller;
    kripke_control(function, 0);
}

void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    kripke_control(function, 1);
}
