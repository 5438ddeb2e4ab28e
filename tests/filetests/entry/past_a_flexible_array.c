// kripke: check --entry last --entry-objects 3
// verdict: violated
// violates: pointer@12

struct packet {
    unsigned length;
    short data[];
};

int last(const struct packet *packet)
{
    return packet && packet->length < 5 ? packet->data[packet->length] : 0;
}
