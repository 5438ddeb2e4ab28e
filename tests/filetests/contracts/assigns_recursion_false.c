// kripke: check
// verdict: violated
// violates: assigns@12
// What the call around it may not write, the recursive one may not name.

static int cells[5];

static void visit(int depth) __CPROVER_assigns(cells[depth])
{
    cells[depth] = depth;
    if (depth < 4)
        visit(depth + 1);
}

int main(void)
{
    visit(0);
}
