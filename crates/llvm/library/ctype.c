/* <ctype.h> in the "C" locale, exact but for what C leaves open: which number other than zero means yes. */

static int any_truth(int truth, const char *source)
{
    int result = __kripke_nondet_int(source);
    return (result + (result == 0)) & -(truth != 0);
}

static void require_character(int character, const char *message)
{
    __kripke_assert(character >= EOF && character <= (unsigned char)-1, message);
}

static int in_range(int character, int first, int last)
{
    return (character >= first) & (character <= last);
}

#define CLASS(name, condition)                                                                            \
    int name(int c)                                                                                       \
    {                                                                                                     \
        require_character(c, #name ": the argument is neither EOF nor an unsigned char");                 \
        return any_truth(condition, #name);                                                               \
    }

CLASS(isupper, in_range(c, 'A', 'Z'))
CLASS(islower, in_range(c, 'a', 'z'))
CLASS(isdigit, in_range(c, '0', '9'))
CLASS(isalpha, in_range(c | 32, 'a', 'z'))
CLASS(isalnum, in_range(c | 32, 'a', 'z') | in_range(c, '0', '9'))
CLASS(isxdigit, in_range(c, '0', '9') | in_range(c | 32, 'a', 'f'))
CLASS(isspace, (c == ' ') | in_range(c, '\t', '\r'))
CLASS(isblank, (c == ' ') | (c == '\t'))
CLASS(iscntrl, in_range(c, 0, 31) | (c == 127))
CLASS(isprint, in_range(c, 32, 126))
CLASS(isgraph, in_range(c, 33, 126))
CLASS(ispunct, in_range(c, 33, 47) | in_range(c, 58, 64) | in_range(c, 91, 96) | in_range(c, 123, 126))

int isascii(int c)
{
    return any_truth((c & ~127) == 0, "isascii");
}

int toascii(int c)
{
    return c & 127;
}

int tolower(int c)
{
    require_character(c, "tolower: the argument is neither EOF nor an unsigned char");
    return in_range(c, 'A', 'Z') ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    require_character(c, "toupper: the argument is neither EOF nor an unsigned char");
    return in_range(c, 'a', 'z') ? c - ('a' - 'A') : c;
}
