// kripke: check
// verdict: violated
// violates: uninitialised@21

struct record {
    unsigned data[4];
};

static void fill(struct record *r, int first)
{
    if (first)
        r->data[2] = 1;
}

int main(void)
{
    unsigned total = 0;
    for (int i = 0; i < 2; i++) {
        struct record r;
        fill(&r, i == 0);
        total += r.data[2];
    }
    return (int)total;
}
