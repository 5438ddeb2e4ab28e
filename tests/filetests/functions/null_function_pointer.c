// kripke: check
// verdict: violated
// violates: function-pointer@10

typedef void (*handler)(void);
static handler on_event;

int main(void)
{
    on_event();
    return 0;
}
