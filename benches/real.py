"""Public libraries, with harnesses of our own in benches/real: what is checked, on how many unknown bytes.

The sources are fetched when the benchmark runs, see sources.py; what cannot be had is named and left out.
What is found is judged by running it; docs/real-projects.md says what came out.
"""

import pathlib
import subprocess
import sys
from typing import NamedTuple

from sources import Source, folder_of

HERE = pathlib.Path(__file__).resolve().parent

PROJECTS = {
    "cJSON": Source(
        "apt", "cjson", "cjson_1.7.15.orig.tar.gz",
        "5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2", "cJSON-1.7.15",
    ),
    "cobs-c": Source(
        "git", "https://github.com/cmcqueen/cobs-c@7afcc42cf7a7efa84f77360ec27bfc979e3cf93d",
        "cobs-c.tar", "e16a02366167448755502cc2a161fcc5b865ad96f363727ba67288edd9e97a88",
    ),
    "FreeRTOS": Source(
        "git", "https://github.com/FreeRTOS/FreeRTOS-Kernel@4269c69a16f924c11adeedbb31591f6fad9f41b2",
        "freertos.tar", "a6590940c885bc9359816827aa5f9ddae19e137d6bc61a69fad7409e1e3e5f0e",
    ),
    "heatshrink": Source(
        "pypi", "heatshrink2==0.15.0", "heatshrink2-0.15.0.tar.gz",
        "d57904c07414fdfd9ae33182d613bac754b0137479f47bf865ce267157fc6e18",
        "heatshrink2-0.15.0/heatshrink2/_heatshrink",
    ),
    "http-parser": Source(
        "apt", "http-parser", "http-parser_2.9.4.orig.tar.gz",
        "467b9e30fd0979ee301065e70f637d525c28193449e1b13fbcb1b1fab3ad224f", "http-parser-2.9.4",
    ),
    "inih": Source(
        "git", "https://github.com/benhoyt/inih@26254ee9de7681f8825433415443e7116ff24b98",
        "inih.tar", "2d4001a2c9cffb9c41be68df16a351a97e261157503366c83668b7c49d856582",
    ),
    "jsmn": Source(
        "apt", "jsmn", "jsmn_1.1.0.orig.tar.gz",
        "5f0913a10657fe7ec8d5794ccf00a01000e3e1f2f1e1f143c34a0f7b47edcb38", "jsmn-1.1.0",
    ),
    "libb64": Source(
        "apt", "libb64", "libb64_1.2.orig.tar.gz",
        "747f942c6ebfc9edb2b1d4a5f45405acf88e027479476a7bcfc2609411d0f49f", "libb64-1.2.orig",
    ),
    "libfixmath": Source(
        "apt", "libfixmath", "libfixmath_0~20220222.orig.tar.xz",
        "38a93f38bcf2b6fbc00bfc4e10905f8f012cc72943ec5eed69a459c3bc0349e0", "libfixmath",
    ),
    "liblzf": Source(
        "apt", "liblzf", "liblzf_3.6.orig.tar.gz",
        "9c5de01f7b9ccae40c3f619d26a7abec9986c06c36d260c179cedd04b89fb46a", "liblzf-3.6",
    ),
    "libmodbus": Source(
        "apt", "libmodbus", "libmodbus_3.1.6.orig.tar.gz",
        "fe0c141cd10d58bb848643f00f2d4b4005214f93312d7b66ac805fd369876651", "libmodbus-3.1.6/src",
    ),
    "littlefs": Source(
        "pypi", "littlefs-python==0.19.0", "littlefs_python-0.19.0.tar.gz",
        "4ce8c6eeeb2703abaf8cb60f2dab624b17af42b13df3dbc6c42d4142bad79a59", "littlefs_python-0.19.0/littlefs",
    ),
    "lwrb": Source(
        "git", "https://github.com/MaJerle/lwrb@d07fe1767a9dc38fe73463c3ebfe1136daf88a19",
        "lwrb.tar", "986ad79ef612b34b556c3065ac894ac013d4dc2bfda2c890b00a8af4b4944aba",
    ),
    "lz4": Source(
        "apt", "lz4", "lz4_1.9.4.orig.tar.gz",
        "0b0e3aa07c8c063ddf40b082bdf7e37a1562bda40a0ff5272957f3e987e0e54b", "lz4-1.9.4/lib",
    ),
    "minmea": Source(
        "git", "https://github.com/kosma/minmea@a8745af0462870c1297fa4b8ee1ce13192485c3c",
        "minmea.tar", "e01292d278d11b2973256c9f6083dc283e1c3d71c3d51df93abcbccc3bd706b5",
    ),
    "mjson": Source(
        "git", "https://github.com/cesanta/mjson@696969cd0d35399cc66075f5ec7a96e23ba4a89b",
        "mjson.tar", "ca738a6604fe6abc7c9c68cf7e60109a367c7b2d287ee4f08146921cf6106b72",
    ),
    "nanopb": Source(
        "apt", "nanopb", "nanopb_0.4.7.orig.tar.gz",
        "e1d89b166367a3c42d42311bdc2ed57ff78f86aede9a66828516e45490d48c81", "nanopb-0.4.7",
    ),
    "nanoprintf": Source(
        "git", "https://github.com/charlesnicholson/nanoprintf@115c916031ef51b73c5c373852fa550eaf134d49",
        "nanoprintf.tar", "a75fb2358af93f8f4533689730d390962db96257251e9335fa8714bf2a453242",
    ),
    "printf": Source(
        "git", "https://github.com/mpaland/printf@d3b984684bb8a8bdc48cc7a1abecb93ce59bbe3e",
        "printf.tar", "8d62e1cf20e56d76c49f419d5b16f89918bd3dfa8905b54f3710ba53e881a245",
    ),
    "sds": Source(
        "apt", "hiredis", "hiredis_0.14.1.orig.tar.gz",
        "2663b2aed9fd430507e30fc5e63274ee40cdd1a296026e22eafd7d99b01c8913", "hiredis-0.14.1",
    ),
    "tiny-AES-c": Source(
        "git", "https://github.com/kokke/tiny-AES-c@23856752fbd139da0b8ca6e471a13d5bcc99a08d",
        "tiny-aes-c.tar", "1b78a1386b3bab01364a937a599f9fbeda1687f83281d90e5c4a245feb094dba",
    ),
    "tiny-regex-c": Source(
        "git", "https://github.com/kokke/tiny-regex-c@f2632c6d9ed25272987471cdb8b70395c2460bdb",
        "tiny-regex-c.tar", "b2fd148b206a618c7a58618f5ebbaa40994ba1f10c431a7b280713f4635ef5da",
    ),
    "tinyexpr": Source(
        "git", "https://github.com/codeplea/tinyexpr@9907207e5def0fabdb60c443517b0d9e9d521393",
        "tinyexpr.tar", "2d0239336a6646d9d7b2e86d9474656b7a38e0739c3281d3b3ee4aca0ffa6d7f",
    ),
    "uthash": Source(
        "apt", "uthash", "uthash_2.3.0.orig.tar.gz",
        "e10382ab75518bad8319eb922ad04f907cb20cccb451a3aa980c9d005e661acc", "uthash-2.3.0/src",
    ),
    "xxHash": Source(
        "apt", "xxhash", "xxhash_0.8.1.orig.tar.gz",
        "3bb6b7d6f30c591dd65aaaff1c8b7a5b94d81687998ca9400082c739a690436c", "xxHash-0.8.1",
    ),
    "zlib": Source(
        "apt", "zlib", "zlib_1.2.13.dfsg.orig.tar.bz2",
        "71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1", "zlib-1.2.13.dfsg",
    ),
}


class Check(NamedTuple):
    """A harness, its project, the project's files that it needs, numbers of unknown bytes (or steps, items)
    that it is run with, further definitions, folders with the project's headers, and what a program that gcc
    compiled with sanitizers shows where a tool found something: that it goes wrong (violated), or that it
    does not on the inputs that the tool names (holds)."""

    title: str
    project: str
    harness: str
    files: list
    sizes: list = [None]
    definitions: list = []
    headers: list = ["."]
    judged: str = None


STATIC = ["HEATSHRINK_DYNAMIC_ALLOC=0"]
FIXMATH = ["fix16.c", "fix16_exp.c", "fix16_sqrt.c", "fix16_trig.c"]
HEAP_4 = ["portable/MemMang/heap_4.c"]
BASE64 = ["src/cdecode.c", "src/cencode.c"]
ONE_CORE = ["LWRB_DISABLE_ATOMIC"]
INTEGERS = ["PRINTF_DISABLE_SUPPORT_FLOAT"]

CHECKS = [
    Check("jsmn", "jsmn", "jsmn", [], [4, 8, 16]),
    Check("minmea_check", "minmea", "minmea_check", ["minmea.c"], [8, 16, 32]),
    Check("minmea_rmc", "minmea", "minmea_rmc", ["minmea.c"], [8, 16]),
    Check("minmea_rmc", "minmea", "minmea_rmc", ["minmea.c"], [32], judged="violated"),
    Check("cjson", "cJSON", "cjson", ["cJSON.c"], [2, 4]),
    Check("cjson", "cJSON", "cjson", ["cJSON.c"], [6], judged="violated"),
    Check("mjson", "mjson", "mjson", ["src/mjson.c"], [4, 7, 10], ["END=1", "LEAST=0"], ["src"]),
    Check("mjson_no_zero", "mjson", "mjson", ["src/mjson.c"], [4], ["END=0", "LEAST=0"], ["src"], "violated"),
    Check(
        "mjson_not_empty", "mjson", "mjson", ["src/mjson.c"], [4], ["END=1", "LEAST=1"], ["src"], "violated",
    ),
    Check("heatshrink_decoder", "heatshrink", "heatshrink_decoder", ["heatshrink_decoder.c"], [2, 4], STATIC),
    Check(
        "heatshrink_round_trip", "heatshrink", "heatshrink_round_trip",
        ["heatshrink_decoder.c", "heatshrink_encoder.c"], [2, 4], STATIC,
    ),
    Check("sds", "sds", "sds", ["sds.c"], [3, 8], judged="violated"),
    Check("printf", "printf", "printf", ["printf.c"], [2, 3, 4], [*INTEGERS, "ZEROS=2", "LOWEST=-INT_MAX"]),
    Check(
        "printf_one_zero", "printf", "printf", ["printf.c"], [4],
        [*INTEGERS, "ZEROS=1", "LOWEST=-INT_MAX"], judged="violated",
    ),
    Check(
        "printf_lowest", "printf", "printf", ["printf.c"], [2],
        [*INTEGERS, "ZEROS=2", "LOWEST=INT_MIN"], judged="violated",
    ),
    Check("nanoprintf", "nanoprintf", "nanoprintf", [], [2, 4]),
    Check("fix16_div", "libfixmath", "fixmath", FIXMATH, definitions=["FUNCTION=fix16_div", "TWO"]),
    Check("fix16_exp", "libfixmath", "fixmath", FIXMATH, definitions=["FUNCTION=fix16_exp"]),
    Check("fix16_log2", "libfixmath", "fixmath", FIXMATH, definitions=["FUNCTION=fix16_log2"]),
    Check("fix16_asin", "libfixmath", "fixmath", FIXMATH, definitions=["FUNCTION=fix16_asin"], judged="violated"),
    Check("fix16_sqrt", "libfixmath", "fixmath", FIXMATH, definitions=["FUNCTION=fix16_sqrt"]),
    Check("lwrb", "lwrb", "lwrb", ["lwrb/src/lwrb/lwrb.c"], [2, 4], ONE_CORE, ["lwrb/src/include"]),
    Check("tiny_aes", "tiny-AES-c", "tiny_aes", ["aes.c"]),
    Check("littlefs_crc", "littlefs", "littlefs_crc", ["lfs_util.c"], [4]),
    Check("freertos_list", "FreeRTOS", "freertos_list", ["list.c"], [3], headers=["include"]),
    Check("freertos_heap_4", "FreeRTOS", "freertos_heap", HEAP_4, [1], headers=["include"]),
    Check("inih", "inih", "inih", ["ini.c"], [3]),
    Check("uthash", "uthash", "uthash", [], [2]),
    Check("utlist_sort", "uthash", "utlist", [], [3]),
    Check("modbus_data", "libmodbus", "modbus_data", ["modbus-data.c"], judged="violated"),
    Check("zlib_crc32", "zlib", "zlib_crc", ["crc32.c"], [4]),
    Check("zlib_adler32", "zlib", "zlib_adler", ["adler32.c"], [4]),
    Check("xxhash32", "xxHash", "xxhash", [], [5], judged="holds"),
    Check("libb64_round_trip", "libb64", "libb64", BASE64, [4], headers=["include"]),
    Check("libb64_decode", "libb64", "libb64_decode", BASE64, [4], headers=["include"], judged="violated"),
    Check("lzf_decompress", "liblzf", "lzf", ["lzf_d.c"], [4], judged="holds"),
    Check("http_parser_url", "http-parser", "http_url", ["http_parser.c"], [4]),
    Check("nanopb_skip", "nanopb", "nanopb", ["pb_common.c", "pb_decode.c"], [4]),
    Check("lz4_decompress", "lz4", "lz4", ["lz4.c"], [4], judged="holds"),
    Check("tinyexpr", "tinyexpr", "tinyexpr", ["tinyexpr.c"], [2]),
    Check("tiny_regex", "tiny-regex-c", "tiny_regex", ["re.c"], [2], judged="violated"),
    Check("cobs_round_trip", "cobs-c", "cobs", ["cobs.c"], [5]),
]


def cases(target):
    """(name, right answer where known, kripke's arguments, peer's arguments) of all that can be had."""
    folders = {}
    for name, source in PROJECTS.items():
        try:
            folders[name] = folder_of(name, source, target / "real")
        except (OSError, ValueError, subprocess.CalledProcessError) as problem:
            print(f"left out: {name}: {problem}", file=sys.stderr)
    return [
        case(folders[check.project], check, size)
        for check in CHECKS if check.project in folders for size in check.sizes
    ]


def case(folder, check, size):
    """One line of the table."""
    title = check.title if size is None else f"{check.title}_{size}"
    definitions = [*check.definitions, *([] if size is None else [f"N={size}"])]
    headers = [folder / header for header in check.headers] + [HERE / "real" / "config"]
    sources = [str(HERE / "real" / f"{check.harness}.c"), *(str(folder / file) for file in check.files)]
    both = [part for header in headers for part in ("-I", str(header))]
    both += [part for definition in definitions for part in ("-D", definition)]
    ours = [*sources, *both, "--memory-limit", "4G"]
    looked_for = ["--overflow-check", "--ub-shift-check"]
    peer = [*sources, *both, "--incremental-bmc", "--unlimited-k-steps", *looked_for, "--memlimit", "4g"]
    return title, check.judged, ours, peer
