
/* Behind the last turn, both threads go on up to the accesses that race. */
static unsigned kripke_met;
static int kripke_first_is_atomic;

__attribute__((unused)) static unsigned kripke_first_to_race(void) {
    return kripke_race[kripke_met < 2 ? kripke_met : 1].runner;
}

static void kripke_meet(const volatile void *at, size_t size, int writes, int is_atomic) {
    if (!kripke_ready || kripke_now + 1 < KRIPKE_TURNS || !kripke_is_done())
        return;
    while (kripke_met < 2 && kripke_race[kripke_met].runner != kripke_self)
        kripke_switch_to(kripke_race[kripke_met].runner);
    if (kripke_met == 2 || writes < kripke_race[kripke_met].last.writes ||
        !kripke_is_part(&kripke_race[kripke_met].last, at, size))
        return;
    dprintf(2, "kripke: thread %u is before a %s of %lu bytes at %p\n", kripke_self,
            writes ? "write" : "read", (unsigned long)size, (const void *)at);
    if (kripke_met == 1 && is_atomic && kripke_first_is_atomic)
        kripke_leaves("both accesses are atomic");
    kripke_first_is_atomic = is_atomic;
    if (++kripke_met == 2)
        kripke_violated("data race: both threads access the same bytes next");
    kripke_switch_to(kripke_race[1].runner);
}
