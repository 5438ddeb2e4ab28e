/* <arpa/inet.h>: between the byte order of the machine and that of networks, most significant byte first. */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ORDER(width, value) __builtin_bswap##width(value)
#else
#define ORDER(width, value) (value)
#endif

uint32_t htonl(uint32_t value)
{
    return ORDER(32, value);
}

uint16_t htons(uint16_t value)
{
    return ORDER(16, value);
}

uint32_t ntohl(uint32_t value)
{
    return ORDER(32, value);
}

uint16_t ntohs(uint16_t value)
{
    return ORDER(16, value);
}
