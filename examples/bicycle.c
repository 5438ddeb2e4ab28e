/* A bicycle computer: three threads share a journey under one lock.

   The wheel's sensor closes a contact at each turn, which adds to the distances; two buttons turn the page of
   the display and begin a new journey; the display is drawn from a copy. Distances are in millimetres and
   stop at a million kilometres.

   SEED_RACE draws without the lock (a data race), SEED_RESET forgets it where a journey begins, SEED_PAGE
   forgets the last page, SEED_LIMIT lets distances grow for ever. */
// kripke check examples/bicycle.c # holds
// kripke check examples/bicycle.c -D SEED_RACE --check data-race # violated: data-race
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum page { SPEED, JOURNEY, TOTAL, CLOCK, PAGES };

#define CIRCUMFERENCE INT64_C(2105)
#define LONGEST INT64_C(1000000000000)

static int64_t journey, total;
static unsigned turns;
static enum page page = SPEED;
static int64_t shown;
static bool lit;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool reed_contact(void);
bool page_button(void);
bool reset_button(void);
unsigned seconds_of_day(void);

static void add_turn(void)
{
#ifndef SEED_LIMIT
    if (total > LONGEST - CIRCUMFERENCE)
        return;
#endif
    total += CIRCUMFERENCE;
#ifndef SEED_LIMIT
    if (journey <= LONGEST - CIRCUMFERENCE)
#endif
        journey += CIRCUMFERENCE;
    turns++;
}

static void *wheel(void *unused)
{
    bool was_closed = false;
    for (;;) {
        bool closed = reed_contact();
        if (closed && !was_closed) {
            pthread_mutex_lock(&lock);
            add_turn();
            pthread_mutex_unlock(&lock);
        }
        was_closed = closed;
    }
    return unused;
}

static void turn_page(void)
{
#ifdef SEED_PAGE
    page = page + 1;
#else
    page = page == CLOCK ? SPEED : page + 1;
#endif
}

static void begin_journey(void)
{
    journey = 0;
    turns = 0;
}

static void *buttons(void *unused)
{
    for (;;) {
        if (page_button()) {
            pthread_mutex_lock(&lock);
            turn_page();
            pthread_mutex_unlock(&lock);
        }
        if (reset_button()) {
#ifndef SEED_RESET
            pthread_mutex_lock(&lock);
#endif
            begin_journey();
#ifndef SEED_RESET
            pthread_mutex_unlock(&lock);
#endif
        }
    }
    return unused;
}

/* What the page shows: kilometres an hour, metres, or minutes. */
static int64_t value_of(enum page which, int64_t distance, int64_t all, unsigned count)
{
    switch (which) {
    case SPEED:
        return count * CIRCUMFERENCE * 36 / 10000;
    case JOURNEY:
        return distance / 1000;
    case TOTAL:
        return all / 1000;
    default:
        return seconds_of_day() / 60;
    }
}

static void *display(void *unused)
{
    for (;;) {
        lit = false;
#ifndef SEED_RACE
        pthread_mutex_lock(&lock);
#endif
        enum page which = page;
        int64_t distance = journey, all = total;
        unsigned count = turns;
#ifndef SEED_RACE
        pthread_mutex_unlock(&lock);
#endif
        shown = value_of(which, distance, all, count);
        lit = true;
    }
    return unused;
}

int main(void)
{
    pthread_t sensor, keys, screen;
    pthread_create(&sensor, 0, wheel, 0);
    pthread_create(&keys, 0, buttons, 0);
    pthread_create(&screen, 0, display, 0);
    pthread_join(sensor, 0);
    return 0;
}
