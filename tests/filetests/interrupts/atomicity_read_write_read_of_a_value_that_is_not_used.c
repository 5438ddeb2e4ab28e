// kripke: check --interrupt tick --check atomicity
// verdict: holds
// prints: read-write-read of atomicity_read_write_read_of_a_value_that_is_not_used.c:12 and

static volatile int limit;
void tick(void)
{
    limit = 3;
}
int main(void)
{
    int old = limit;
    int new = limit;
    old = 0;
    return old + new;
}
