// kripke: check
// verdict: holds

static int deepest, cells[5];

static void visit(int depth)
    __CPROVER_requires(depth >= 0 && depth < 5)
    __CPROVER_assigns(deepest, __CPROVER_object_from(&cells[depth]))
{
    int local = depth;
    int *known = &local;
    *known += 0;
    deepest = depth;
    cells[depth] = depth;
    if (depth < 4)
        visit(depth + 1);
    cells[depth] = local;
}

int main(void)
{
    visit(0);
}
