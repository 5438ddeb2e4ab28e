// kripke: check --entry get
// verdict: violated
// violates: pointer@12

struct view {
    const unsigned char *data;
    unsigned length;
};

unsigned char get(const struct view *view)
{
    return view && view->length == 1 ? view->data[0] : 0;
}
