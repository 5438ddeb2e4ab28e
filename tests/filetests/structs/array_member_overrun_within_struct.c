// kripke: check
// verdict: violated
// violates: bounds@17

unsigned nondet_uint(void);

struct frame {
    unsigned char header[4];
    unsigned char body[12];
};

int main(void)
{
    struct frame f = {{0}, {0}};
    unsigned i = nondet_uint();
    if (i <= 4)
        f.header[i] = 1;
    return f.body[0];
}
