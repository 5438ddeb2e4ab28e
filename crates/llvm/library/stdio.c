/* <stdio.h>: streams.
 *
 * Input is unknown: each character read is any byte, or EOF. What is written to the standard streams is
 * output of the program; what is written to other files is read (so that invalid memory is found) and
 * lost. Every operation that can fail, may. printf, fprintf, puts and putchar are primitives,
 * their relatives stand in format.c.
 *
 * A file that fopen opened is a heap object that fclose frees: closing twice, using after closing and
 * never closing are found as for memory. */

struct kripke_file {
    int descriptor;
    int pushed_back; /* EOF when there is none */
};

static struct kripke_file kripke_stdin = {0, EOF}, kripke_stdout = {1, EOF}, kripke_stderr = {2, EOF};

#if defined(__APPLE__)
struct kripke_file *__stdinp = &kripke_stdin, *__stdoutp = &kripke_stdout, *__stderrp = &kripke_stderr;
#else
struct kripke_file *stdin = &kripke_stdin, *stdout = &kripke_stdout, *stderr = &kripke_stderr;
#endif

static int read_character(struct kripke_file *stream, const char *source)
{
    if (stream->pushed_back != EOF) {
        int character = stream->pushed_back;
        stream->pushed_back = EOF;
        return character;
    }
    int character = __kripke_nondet_int(source);
    __kripke_assume(character >= EOF && character <= (unsigned char)-1);
    return character;
}

static int write_character(int character, struct kripke_file *stream, const char *source)
{
    if (stream->descriptor == 1 || stream->descriptor == 2)
        putchar(character);
    return __kripke_nondet_bool(source) ? EOF : (unsigned char)character;
}

int getchar(void)
{
    return read_character(&kripke_stdin, "getchar");
}

int getchar_unlocked(void)
{
    return read_character(&kripke_stdin, "getchar_unlocked");
}

int getc(struct kripke_file *stream)
{
    return read_character(stream, "getc");
}

int _IO_getc(struct kripke_file *stream)
{
    return read_character(stream, "getc");
}

int fgetc(struct kripke_file *stream)
{
    return read_character(stream, "fgetc");
}

int ungetc(int character, struct kripke_file *stream)
{
    if (character == EOF)
        return EOF;
    __kripke_rely(stream->pushed_back == EOF, "ungetc: no second character is pushed back "
        "before the first is read");
    stream->pushed_back = (unsigned char)character;
    return (unsigned char)character;
}

char *fgets(char *text, int size, struct kripke_file *stream)
{
    int length = 0;
    if (size <= 0)
        return NULL;
    while (length < size - 1) {
        int character = read_character(stream, "fgets");
        if (character == EOF) {
            /* The end of the file after some characters, or a read error. */
            if (length == 0 || __kripke_nondet_bool("fgets"))
                return NULL;
            break;
        }
        text[length++] = (char)character;
        if (character == '\n')
            break;
    }
    text[length] = '\0';
    return text;
}

/* Without a limit: the line is as long as the program cannot exclude, so that the overflow shows. */
char *gets(char *text)
{
    size_t length = 0;
    for (;;) {
        int character = read_character(&kripke_stdin, "gets");
        if (character == EOF && length == 0)
            return NULL;
        if (character == EOF || character == '\n')
            break;
        text[length++] = (char)character;
    }
    text[length] = '\0';
    return text;
}

size_t fread(void *memory, size_t size, size_t count, struct kripke_file *stream)
{
    size_t complete = __kripke_nondet_size("fread"), bytes = 0;
    READ(stream->descriptor);
    if (size == 0 || count == 0)
        return 0;
    __kripke_assume(complete <= count);
    /* The element that was not read to its end is indeterminate. */
    if (size > 1 && complete < count) {
        bytes = __kripke_nondet_size("fread");
        __kripke_assume(bytes < size);
    }
    __kripke_havoc(memory, size * complete + bytes, "fread");
    return complete;
}

enum { LONGEST_LINE = 255 };

static ptrdiff_t read_line(char **text, size_t *size, int end, struct kripke_file *stream, const char *source)
{
    char buffer[LONGEST_LINE + 1];
    size_t length = 0;
    _Bool more = 1;
    while (more && length < LONGEST_LINE) {
        int character = read_character(stream, source);
        if (character == EOF)
            more = 0;
        else
            buffer[length++] = (char)character;
        if (character == end)
            more = 0;
    }
    __kripke_rely(!more, "getline and getdelim: a line has at most 255 characters");
    if (length == 0)
        return -1;
    if (*text == NULL || *size <= length) {
        free(*text);
        *text = malloc(sizeof buffer);
        *size = sizeof buffer;
        if (*text == NULL)
            return -1;
    }
    buffer[length] = '\0';
    memcpy(*text, buffer, length + 1);
    return (ptrdiff_t)length;
}

ptrdiff_t getline(char **text, size_t *size, struct kripke_file *stream)
{
    return read_line(text, size, '\n', stream, "getline");
}

ptrdiff_t getdelim(char **text, size_t *size, int end, struct kripke_file *stream)
{
    return read_line(text, size, end, stream, "getdelim");
}

int putc(int character, struct kripke_file *stream)
{
    return write_character(character, stream, "putc");
}

int _IO_putc(int character, struct kripke_file *stream)
{
    return write_character(character, stream, "putc");
}

int fputc(int character, struct kripke_file *stream)
{
    return write_character(character, stream, "fputc");
}

int fputs(const char *text, struct kripke_file *stream)
{
    for (const char *at = text; *at != '\0';)
        at++;
    if (stream->descriptor == 1 || stream->descriptor == 2)
        printf("%s", text);
    int result = __kripke_nondet_int("fputs");
    __kripke_assume(result >= EOF);
    return result;
}

size_t fwrite(const void *memory, size_t size, size_t count, struct kripke_file *stream)
{
    const volatile char *bytes = memory;
    size_t complete = __kripke_nondet_size("fwrite");
    READ(stream->descriptor);
    if (size == 0 || count == 0)
        return 0;
    (void)bytes[0];
    (void)bytes[size * count - 1];
    __kripke_assume(complete <= count);
    return complete;
}

static void read_text(const char *text)
{
    while (*text != '\0')
        text++;
}

void perror(const char *text)
{
    if (text != NULL)
        read_text(text);
}

static struct kripke_file *new_stream(const char *source)
{
    if (__kripke_nondet_bool(source))
        return NULL;
    struct kripke_file *file = malloc(sizeof *file);
    if (file != NULL) {
        int descriptor = __kripke_nondet_int(source);
        file->descriptor = descriptor > 2 ? descriptor : 3;
        file->pushed_back = EOF;
    }
    return file;
}

struct kripke_file *fopen(const char *path, const char *mode)
{
    read_text(path);
    read_text(mode);
    return new_stream("fopen");
}

struct kripke_file *fdopen(int descriptor, const char *mode)
{
    (void)descriptor;
    read_text(mode);
    return new_stream("fdopen");
}

struct kripke_file *popen(const char *command, const char *mode)
{
    read_text(command);
    read_text(mode);
    return new_stream("popen");
}

struct kripke_file *tmpfile(void)
{
    return new_stream("tmpfile");
}

struct kripke_file *freopen(const char *path, const char *mode, struct kripke_file *stream)
{
    if (path != NULL)
        read_text(path);
    read_text(mode);
    stream->pushed_back = EOF;
    if (!__kripke_nondet_bool("freopen"))
        return stream;
    if (stream->descriptor > 2)
        free(stream);
    return NULL;
}

int fclose(struct kripke_file *stream)
{
    if (stream->descriptor > 2)
        free(stream);
    return __kripke_nondet_bool("fclose") ? EOF : 0;
}

int pclose(struct kripke_file *stream)
{
    if (stream->descriptor > 2)
        free(stream);
    return __kripke_nondet_int("pclose");
}

int fflush(struct kripke_file *stream)
{
    if (stream != NULL)
        READ(stream->descriptor);
    return __kripke_nondet_bool("fflush") ? EOF : 0;
}

int feof(struct kripke_file *stream)
{
    READ(stream->descriptor);
    return __kripke_nondet_int("feof");
}

int ferror(struct kripke_file *stream)
{
    READ(stream->descriptor);
    return __kripke_nondet_int("ferror");
}

void clearerr(struct kripke_file *stream)
{
    READ(stream->descriptor);
}

int fileno(struct kripke_file *stream)
{
    return stream->descriptor;
}

int fseek(struct kripke_file *stream, long offset, int origin)
{
    (void)offset, (void)origin;
    stream->pushed_back = EOF;
    return __kripke_nondet_bool("fseek") ? -1 : 0;
}

long ftell(struct kripke_file *stream)
{
    long position = __kripke_nondet_long("ftell");
    READ(stream->descriptor);
    __kripke_assume(position >= -1);
    return position;
}

void rewind(struct kripke_file *stream)
{
    stream->pushed_back = EOF;
}

#define BUFFER_ASSUMPTION(buffer)                                                                         \
    (void)(buffer), __kripke_rely(1, "the array that setbuf or setvbuf gets is not used by the program")

void setbuf(struct kripke_file *stream, char *buffer)
{
    READ(stream->descriptor);
    BUFFER_ASSUMPTION(buffer);
}

int setvbuf(struct kripke_file *stream, char *buffer, int mode, size_t size)
{
    READ(stream->descriptor), (void)mode, (void)size;
    BUFFER_ASSUMPTION(buffer);
    return __kripke_nondet_int("setvbuf");
}

int remove(const char *path)
{
    read_text(path);
    return __kripke_nondet_bool("remove") ? -1 : 0;
}

int rename(const char *from, const char *to)
{
    read_text(from);
    read_text(to);
    return __kripke_nondet_bool("rename") ? -1 : 0;
}
