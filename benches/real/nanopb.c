// nanopb: N unknown bytes are read as fields of a message and skipped, and never more than there are.
#include <assert.h>
#include "pb_decode.h"

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    pb_byte_t bytes[N];
    for (int i = 0; i < N; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    pb_istream_t stream = pb_istream_from_buffer(bytes, N);
    pb_wire_type_t type;
    uint32_t tag;
    bool end;
    while (pb_decode_tag(&stream, &type, &tag, &end)) {
        assert(!end);
        size_t before = stream.bytes_left;
        if (!pb_skip_field(&stream, type))
            break;
        assert(stream.bytes_left <= before);
    }
    return 0;
}
