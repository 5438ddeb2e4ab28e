/* Strings that come from outside or are the implementation's choice: getenv, strerror, setlocale, asctime
 * and their relatives.
 *
 * Each may hold any characters up to a length that is listed with the verdict. Calls of getenv may return
 * the same array or different ones; the other functions may overwrite what they returned before. */

enum { LONGEST_TEXT = 255, ENVIRONMENT_TEXTS = 4 };

static void any_text(char *text, const char *source)
{
    __kripke_havoc(text, LONGEST_TEXT, source);
    text[LONGEST_TEXT] = '\0';
}

static void read_text(const char *text)
{
    while (*text != '\0')
        text++;
}

char *getenv(const char *name)
{
    static char texts[ENVIRONMENT_TEXTS][LONGEST_TEXT + 1];
    static unsigned int used;
    unsigned int chosen = used;
    __kripke_rely(1, "getenv: a variable has at most 255 characters");
    read_text(name);
    if (__kripke_nondet_bool("getenv"))
        return NULL;
    if (used > 0) {
        chosen = __kripke_nondet_uint("getenv");
        __kripke_assume(chosen <= used);
        __kripke_rely(chosen < ENVIRONMENT_TEXTS, "getenv: at most four results are kept at a time");
    }
    if (chosen == used)
        used++;
    any_text(texts[chosen], "getenv");
    return texts[chosen];
}

int setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    read_text(name);
    read_text(value);
    return __kripke_nondet_bool("setenv") ? -1 : 0;
}

int unsetenv(const char *name)
{
    read_text(name);
    return __kripke_nondet_bool("unsetenv") ? -1 : 0;
}

int putenv(char *definition)
{
    read_text(definition);
    return __kripke_nondet_bool("putenv") ? -1 : 0;
}

char *strerror(int error)
{
    static char text[LONGEST_TEXT + 1];
    (void)error;
    __kripke_rely(1, "strerror: a message has at most 255 characters");
    any_text(text, "strerror");
    return text;
}

char *strsignal(int signal)
{
    static char text[LONGEST_TEXT + 1];
    (void)signal;
    __kripke_rely(1, "strsignal: a message has at most 255 characters");
    any_text(text, "strsignal");
    return text;
}

char *setlocale(int category, const char *locale)
{
    static char text[LONGEST_TEXT + 1];
    (void)category;
    __kripke_rely(1, "setlocale: the functions of <ctype.h>, <stdlib.h>, <stdio.h> and "
        "<string.h> go on as in the "
                     "locale \"C\"; the name of a locale has at most 255 characters");
    if (locale != NULL)
        read_text(locale);
    if (__kripke_nondet_bool("setlocale"))
        return NULL;
    any_text(text, "setlocale");
    return text;
}

/* C11 7.11: the members that are strings first, then characters of which CHAR_MAX means none. */
struct kripke_locale_conventions {
    char *texts[10];
    char numbers[14];
};

struct kripke_locale_conventions *localeconv(void)
{
    static char decimal_point[2] = ".", empty[1] = "";
    static struct kripke_locale_conventions conventions;
    __kripke_rely(1, "localeconv: the locale is \"C\"");
    for (int i = 0; i < 10; i++)
        conventions.texts[i] = i == 0 ? decimal_point : empty;
    for (int i = 0; i < 14; i++)
        conventions.numbers[i] = (char)((char)-1 < 0 ? 127 : 255);
    return &conventions;
}
