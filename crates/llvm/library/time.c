/* <time.h> and friends: clocks show any time that does not run backwards; calendar functions give any
 * valid date; waiting takes no time, but other threads may run. */

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
    __kripke_rely((now >= latest) & (now / 31556952 <= 9999 - 1970),
                  "time: the clock can be read, is not set back and shows no year after 9999");
    latest = now;
    if (result != NULL)
        *result = now;
    return now;
}

kripke_clock clock(void)
{
    static kripke_clock latest;
    kripke_clock now = __kripke_nondet_long("clock");
    __kripke_rely(now >= latest, "clock: the processor time can be read and does not overflow");
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
    __kripke_rely(now.seconds > latest->seconds ||
                      (now.seconds == latest->seconds && now.fraction >= latest->fraction),
                  "clock_gettime and gettimeofday: the clock can be read and is not set back");
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

/* The clocks that Linux has, and those of smaller systems; another one may be there or not. Each shows a time
 * of its own. */
#define CLOCKS 12

int clock_gettime(int clock_id, struct kripke_fine_time *result)
{
    static struct kripke_fine_time latest[CLOCKS];
    if (clock_id >= 0 && clock_id < CLOCKS)
        return later_fine_time(&latest[clock_id], result, 1000000000L, "clock_gettime");
    if (__kripke_nondet_int("clock_gettime"))
        return -1;
    result->seconds = (kripke_time)__kripke_nondet_long("clock_gettime");
    result->fraction = __kripke_nondet_long("clock_gettime");
    __kripke_assume(result->fraction >= 0 && result->fraction < 1000000000L);
    return 0;
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

/* Times whose year does not fit an int have no date. */
static _Bool may_lack_date(kripke_time when)
{
    return sizeof when > 4 && (when / 31556952 > 2147480000 || when / 31556952 < -2147480000);
}

static struct kripke_date *date_of(const kripke_time *when, struct kripke_date *date, const char *source)
{
    if (may_lack_date(*when) && __kripke_nondet_bool(source))
        return NULL;
    any_date(date, source);
    return date;
}

/* C11 7.27.3: the functions share one object for dates and one for texts. */
static struct kripke_date shared_date;
static char shared_text[26];

struct kripke_date *gmtime(const kripke_time *when)
{
    return date_of(when, &shared_date, "gmtime");
}

struct kripke_date *localtime(const kripke_time *when)
{
    return date_of(when, &shared_date, "localtime");
}

struct kripke_date *gmtime_r(const kripke_time *when, struct kripke_date *date)
{
    return date_of(when, date, "gmtime_r");
}

struct kripke_date *localtime_r(const kripke_time *when, struct kripke_date *date)
{
    return date_of(when, date, "localtime_r");
}

/* "Sun Sep 16 01:03:52 1973\n": 24 characters and a line feed while the year has four digits. */
static char *date_text(char *text, const char *source)
{
    __kripke_havoc(text, 24, source);
    text[24] = '\n';
    text[25] = '\0';
    return text;
}

static void require_printable(const struct kripke_date *date, const char *message)
{
    __kripke_assert((date->year >= -1900 + 1000) & (date->year <= 9999 - 1900) & (date->week_day >= 0) &
                        (date->week_day <= 6) & (date->month >= 0) & (date->month <= 11) & (date->day >= 1) &
                        (date->day <= 31) & (date->hour >= 0) & (date->hour <= 23) & (date->minute >= 0) &
                        (date->minute <= 59) & (date->second >= 0) & (date->second <= 60),
                    message);
}

char *asctime(const struct kripke_date *date)
{
    require_printable(date, "asctime: a member is out of its range, or the year has not four digits");
    return date_text(shared_text, "asctime");
}

char *asctime_r(const struct kripke_date *date, char *text)
{
    require_printable(date, "asctime_r: a member is out of its range, or the year has not four digits");
    return date_text(text, "asctime_r");
}

static _Bool has_four_digit_year(kripke_time when)
{
    return sizeof when <= 4 || (when >= -30610224000 && when <= 253402214400);
}

char *ctime(const kripke_time *when)
{
    __kripke_assert(has_four_digit_year(*when), "ctime: the year has not four digits");
    return date_text(shared_text, "ctime");
}

char *ctime_r(const kripke_time *when, char *text)
{
    __kripke_assert(has_four_digit_year(*when), "ctime_r: the year has not four digits");
    return date_text(text, "ctime_r");
}

/* Any text that fits, or nothing; what is in the array is then indeterminate. */
size_t strftime(char *text, size_t size, const char *format, const struct kripke_date *date)
{
    size_t length = __kripke_nondet_size("strftime");
    while (*format != '\0')
        format++;
    READ(date->second);
    if (size == 0)
        return 0;
    __kripke_assume(length < size);
    for (size_t i = 0; i < length; i++) {
        char c = __kripke_nondet_char("strftime");
        __kripke_assume(c != '\0');
        text[i] = c;
    }
    if (__kripke_nondet_bool("strftime"))
        return 0;
    text[length] = '\0';
    return length;
}

kripke_time mktime(struct kripke_date *date)
{
    /* Where the time cannot be represented the result is -1 and nothing is written. */
    READ(date->second);
    if (__kripke_nondet_bool("mktime"))
        return -1;
    any_date(date, "mktime");
    return (kripke_time)__kripke_nondet_long("mktime");
}

#endif

unsigned int sleep(unsigned int seconds)
{
    unsigned int rest = __kripke_nondet_uint("sleep");
    __kripke_thread_switch();
    __kripke_assume(rest <= seconds);
    return rest;
}

int usleep(unsigned int microseconds)
{
    (void)microseconds;
    __kripke_thread_switch();
    return __kripke_nondet_bool("usleep") ? -1 : 0;
}

int nanosleep(const struct kripke_fine_time *wanted, struct kripke_fine_time *rest)
{
    READ(wanted->seconds);
    __kripke_thread_switch();
    if (!__kripke_nondet_bool("nanosleep"))
        return 0;
    /* A signal came before the time had passed. */
    if (rest != NULL)
        __kripke_havoc(rest, sizeof *rest, "nanosleep");
    return -1;
}
