// kripke: check --entry call
// verdict: violated
// violates: function-pointer@8

void call(void (*handler)(int))
{
    if (handler)
        handler(3);
}
