/* What printf and puts read besides numbers: strings to their end. The front end calls these for each
 * argument that is no literal. */

void __kripke_read_text(const char *text, int precision)
{
    __kripke_assert(text != NULL, "printf or puts: the string is null");
    for (int i = 0; precision < 0 || i < precision; i++)
        if (text[i] == '\0')
            return;
}

void __kripke_read_wide_text(const wchar_t *text, int precision)
{
    __kripke_assert(text != NULL, "printf: the wide string is null");
    for (int i = 0; precision < 0 || i < precision; i++)
        if (text[i] == 0)
            return;
}
