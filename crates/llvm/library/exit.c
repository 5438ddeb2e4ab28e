/* atexit and at_quick_exit. The front end calls __kripke_at_exit before the program ends by exit or by
 * returning from main, __kripke_at_quick_exit before it ends by quick_exit. */

static void (*exit_handlers[32])(void);
static unsigned int exit_handler_count;
static void (*quick_exit_handlers[32])(void);
static unsigned int quick_exit_handler_count;

int atexit(void (*handler)(void))
{
    __kripke_rely(exit_handler_count < 32, "atexit succeeds, and is called 32 times at most");
    exit_handlers[exit_handler_count++] = handler;
    return 0;
}

int at_quick_exit(void (*handler)(void))
{
    __kripke_rely(quick_exit_handler_count < 32, "at_quick_exit succeeds, and is called 32 times at most");
    quick_exit_handlers[quick_exit_handler_count++] = handler;
    return 0;
}

void __kripke_at_exit(void)
{
    while (exit_handler_count > 0)
        exit_handlers[--exit_handler_count]();
}

void __kripke_at_quick_exit(void)
{
    while (quick_exit_handler_count > 0)
        quick_exit_handlers[--quick_exit_handler_count]();
}
