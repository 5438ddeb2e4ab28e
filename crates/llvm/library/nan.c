/* nan, nanf and nanl: a quiet NaN. Which one depends on the tag as the implementation likes; here every NaN
 * has one bit pattern. */

static void read_tag(const char *tag)
{
    while (*tag != '\0')
        tag++;
}

double nan(const char *tag)
{
    read_tag(tag);
    return __builtin_nan("");
}

float nanf(const char *tag)
{
    read_tag(tag);
    return __builtin_nanf("");
}

long double nanl(const char *tag)
{
    read_tag(tag);
    return __builtin_nanl("");
}
