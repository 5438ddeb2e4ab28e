// kripke: check
// verdict: violated
// violates: uninitialised@14

union overlay {
    unsigned char small;
    unsigned int large;
};

int main(void)
{
    union overlay o;
    o.small = 1;
    return (int)(o.large & 1);
}
