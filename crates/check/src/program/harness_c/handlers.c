
/* A handler is called by the access before which its turn begins, or where interrupts are enabled after that.
 * Functions that enable and disable them may have bodies in the program: the compiler calls a function where
 * they begin and end. */
static unsigned kripke_depth;
static int kripke_masked = KRIPKE_STARTS_MASKED;

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
        handler = (void (*)(void))kripke_symbol(kripke_turns[kripke_now].begins, 2);
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

static void kripke_mask(int masked) {
    kripke_masked = masked;
    kripke_point();
}

/* A function that begins, or ends, at a place of the program's code. */
static void kripke_control(const void *inside, int ends) {
    for (unsigned index = 0; kripke_ready && kripke_controls[index].name; index++) {
        unsigned long size = 0;
        unsigned long value = kripke_value(kripke_controls[index].name, 2, &size);
        const char *from = &kripke_anchor + (long)(value - kripke_value("kripke_anchor", 1, 0));
        if (value && (const char *)inside >= from && (const char *)inside < from + size &&
            ends == kripke_controls[index].enables)
            kripke_masked = !kripke_controls[index].enables;
    }
}
#define KRIPKE_CONTROL(ends) kripke_control(__builtin_return_address(0), ends)

WEAK void __enable_irq(void) { kripke_mask(0); }
WEAK void __disable_irq(void) { kripke_mask(1); }
WEAK unsigned __get_PRIMASK(void) { return kripke_masked; }
WEAK void __set_PRIMASK(unsigned mask) { kripke_mask(mask & 1); }
/* Which handlers are enabled is not followed: they come when their turns begin. */
WEAK void NVIC_EnableIRQ(int number) { (void)number; }
WEAK void NVIC_DisableIRQ(int number) { (void)number; }
