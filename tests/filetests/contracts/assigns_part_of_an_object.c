// kripke: check
// verdict: holds

static int memory[8];

static void all(int *from) __CPROVER_assigns(__CPROVER_object_whole(from)) { from[-1] = 0; }
static void rest(int *from) __CPROVER_assigns(__CPROVER_object_from(from)) { from[3] = 0; }
static void some(int *from) __CPROVER_assigns(__CPROVER_object_upto(from, 2 * sizeof *from)) { from[1] = 0; }
static void statement(int *from)
{
    __ESBMC_assigns(*from, memory);
    *from = 0;
}

int main(void)
{
    all(memory + 3);
    rest(memory + 3);
    some(memory + 3);
    statement(memory);
}
