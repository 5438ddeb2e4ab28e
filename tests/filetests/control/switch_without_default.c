// kripke: check
// verdict: violated
// violates: missing-return@19

int nondet_int(void);

enum mode { OFF, ON, AUTO };

static int level(enum mode m)
{
    switch (m) {
    case OFF:
        return 0;
    case ON:
        return 100;
    case AUTO:
        return 50;
    }
}

int main(void)
{
    int result = level((enum mode)(nondet_int() & 3));
    return result;
}
