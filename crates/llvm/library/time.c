/* <time.h> and friends: clocks show any time that does not run backwards; calendar functions give any
 * valid date; waiting takes no time. */

#if defined(__AVR__)
typedef uint32_t kripke_time;
#else
typedef long kripke_time;
#endif
typedef long kripke_clock;

struct kripke_date {
    int second, minute, hour, day, month, year, week_day, year_day, daylight_saving;
    long offset; /* the BSD and glibc members */
    const char *zone;
};

struct kripke_fine_time {
    kripke_time seconds;
    long fraction;
};

kripke_time time(kripke_time *result)
{
    static kripke_time latest;
    kripke_time now = (kripke_time)__kripke_nondet_long("time");
    __kripke_assume(now >= latest);
    latest = now;
    if (result != NULL)
        *result = now;
    return now;
}

kripke_clock clock(void)
{
    static kripke_clock latest;
    kripke_clock now = __kripke_nondet_long("clock");
    __kripke_assume(now >= latest);
    latest = now;
    return now;
}

double difftime(kripke_time end, kripke_time start)
{
    return (double)end - (double)start;
}

static int later_fine_time(struct kripke_fine_time *latest, struct kripke_fine_time *result, long unit,
                           const char *source)
{
    struct kripke_fine_time now;
    now.seconds = (kripke_time)__kripke_nondet_long(source);
    now.fraction = __kripke_nondet_long(source);
    __kripke_assume(now.fraction >= 0 && now.fraction < unit);
    __kripke_assume(now.seconds > latest->seconds ||
                    (now.seconds == latest->seconds && now.fraction >= latest->fraction));
    *latest = now;
    *result = now;
    return 0;
}

int gettimeofday(struct kripke_fine_time *result, void *zone)
{
    static struct kripke_fine_time latest;
    (void)zone;
    return later_fine_time(&latest, result, 1000000L, "gettimeofday");
}

int clock_gettime(int clock_id, struct kripke_fine_time *result)
{
    static struct kripke_fine_time latest;
    (void)clock_id;
    return later_fine_time(&latest, result, 1000000000L, "clock_gettime");
}

/* avr-libc has another layout of struct tm; its calendar functions are not modelled. */
#if !defined(__AVR__)

static void any_date(struct kripke_date *date, const char *source)
{
    date->second = __kripke_nondet_int(source);
    date->minute = __kripke_nondet_int(source);
    date->hour = __kripke_nondet_int(source);
    date->day = __kripke_nondet_int(source);
    date->month = __kripke_nondet_int(source);
    date->year = __kripke_nondet_int(source);
    date->week_day = __kripke_nondet_int(source);
    date->year_day = __kripke_nondet_int(source);
    date->daylight_saving = __kripke_nondet_int(source);
    __kripke_assume(date->second >= 0 && date->second <= 60);
    __kripke_assume(date->minute >= 0 && date->minute <= 59);
    __kripke_assume(date->hour >= 0 && date->hour <= 23);
    __kripke_assume(date->day >= 1 && date->day <= 31);
    __kripke_assume(date->month >= 0 && date->month <= 11);
    __kripke_assume(date->week_day >= 0 && date->week_day <= 6);
    __kripke_assume(date->year_day >= 0 && date->year_day <= 365);
}

struct kripke_date *gmtime(const kripke_time *when)
{
    static struct kripke_date date;
    (void)*when;
    any_date(&date, "gmtime");
    return &date;
}

struct kripke_date *localtime(const kripke_time *when)
{
    static struct kripke_date date;
    (void)*when;
    any_date(&date, "localtime");
    return &date;
}

kripke_time mktime(struct kripke_date *date)
{
    (void)date->second;
    any_date(date, "mktime");
    return (kripke_time)__kripke_nondet_long("mktime");
}

#endif

unsigned int sleep(unsigned int seconds)
{
    unsigned int rest = __kripke_nondet_uint("sleep");
    __kripke_assume(rest <= seconds);
    return rest;
}

int usleep(unsigned int microseconds)
{
    (void)microseconds;
    return __kripke_nondet_bool("usleep") ? -1 : 0;
}

int nanosleep(const struct kripke_fine_time *wanted, struct kripke_fine_time *rest)
{
    (void)wanted->seconds, (void)rest;
    return 0;
}
