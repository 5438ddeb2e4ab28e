// kripke: check
// verdict: violated
// violates: function-pointer@10

static int data = 5;

int main(void)
{
    int (*f)(void) = (int (*)(void))(void *)&data;
    return f();
}
