// kripke: check
// verdict: violated
// violates: pointer@13

struct device {
    int id;
    int *data;
};

int main(void)
{
    struct device d = {1};
    return *d.data;
}
