// kripke: check --all
// verdict: violated
// violates: assigns@8
// violates: assigns@9

static int memory[8];

static void rest(int *from) __CPROVER_assigns(__CPROVER_object_from(from)) { from[-1] = 0; }
static void some(int *from) __CPROVER_assigns(__CPROVER_object_upto(from, 2 * sizeof *from)) { from[2] = 0; }

int main(void)
{
    rest(memory + 3);
    some(memory + 3);
}
