"""Public libraries, with harnesses of our own in benches/real: N unknown bytes, and how time grows with N.

The sources are no part of the project. They come from Debian's source packages (`apt-get source`, with lists of
its own below target/real) and from PyPI's, each of the pinned version and checked against its SHA-256, when
the benchmark runs. On a machine without them KRIPKE_REAL names a directory with the unpacked sources, in
folders called as in LIBRARIES. The right answers are not known: the harnesses find what they find.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Folder -> where it comes from: registry, package, archive, SHA-256, the folder of the sources in it.
LIBRARIES = {
    "cJSON": (
        "apt", "cjson", "cjson_1.7.15.orig.tar.gz",
        "5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2", "cJSON-1.7.15",
    ),
    "heatshrink": (
        "pypi", "heatshrink2==0.15.0", "heatshrink2-0.15.0.tar.gz",
        "d57904c07414fdfd9ae33182d613bac754b0137479f47bf865ce267157fc6e18",
        "heatshrink2-0.15.0/heatshrink2/_heatshrink",
    ),
    "jsmn": (
        "apt", "jsmn", "jsmn_1.1.0.orig.tar.gz",
        "5f0913a10657fe7ec8d5794ccf00a01000e3e1f2f1e1f143c34a0f7b47edcb38", "jsmn-1.1.0",
    ),
    "libfixmath": (
        "apt", "libfixmath", "libfixmath_0~20220222.orig.tar.xz",
        "38a93f38bcf2b6fbc00bfc4e10905f8f012cc72943ec5eed69a459c3bc0349e0", "libfixmath",
    ),
    "sds": (
        "apt", "hiredis", "hiredis_0.14.1.orig.tar.gz",
        "2663b2aed9fd430507e30fc5e63274ee40cdd1a296026e22eafd7d99b01c8913", "hiredis-0.14.1",
    ),
}

STATIC = ["HEATSHRINK_DYNAMIC_ALLOC=0"]

# Harness, library, its files, sizes, further definitions.
HARNESSES = [
    ("jsmn", "jsmn", [], [4, 8, 16], []),
    ("cjson", "cJSON", ["cJSON.c"], [2, 4, 6], []),
    ("heatshrink_decoder", "heatshrink", ["heatshrink_decoder.c"], [2, 4], STATIC),
    ("heatshrink_round_trip", "heatshrink", ["heatshrink_decoder.c", "heatshrink_encoder.c"], [2, 4], STATIC),
    ("sds", "sds", ["sds.c"], [3, 8], []),
]

FIXMATH = ["fix16_div", "fix16_exp", "fix16_log2", "fix16_asin", "fix16_sqrt"]
FIXMATH_FILES = ["fix16.c", "fix16_exp.c", "fix16_sqrt.c", "fix16_trig.c"]


def apt_options(target):
    """Options that let apt-get see Debian's source packages, without touching the machine's own lists."""
    folder = target / "apt"
    parts, lists = folder / "sources", folder / "lists"
    fresh = not lists.exists()
    parts.mkdir(parents=True, exist_ok=True)
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    for source in pathlib.Path("/etc/apt/sources.list.d").glob("debian*.sources"):
        text = source.read_text().replace("Types: deb\n", "Types: deb-src\n")
        (parts / source.name).write_text(text)
    options = ["-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={parts}"]
    options += ["-o", f"Dir::State::Lists={lists}", "-o", "APT::Sandbox::User=root", "-q=2"]
    if fresh:
        subprocess.run(["apt-get", *options, "update"], check=True)
    return options


def download(registry, package, target):
    """Brings an archive into the target folder."""
    if registry == "apt":
        command = ["apt-get", *apt_options(target), "source", "--tar-only", "--download-only", package]
    else:
        venv = target / "venv"
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        pip = [str(venv / "bin" / "python"), "-m", "pip", "download", "--quiet"]
        command = [*pip, "--no-deps", "--no-binary", ":all:", package]
    subprocess.run(command, cwd=target, check=True, stdout=subprocess.DEVNULL)


def library(name, target):
    """The folder with a library's sources, or None and why where there is none."""
    named = os.environ.get("KRIPKE_REAL")
    if named:
        return pathlib.Path(named).resolve() / name
    registry, package, archive, digest, inside = LIBRARIES[name]
    target = target / "real"
    target.mkdir(parents=True, exist_ok=True)
    file, folder = target / archive, target / name
    if not file.exists():
        download(registry, package, target)
    if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
        raise ValueError(f"{file} is not the version that this benchmark is about")
    if not folder.exists():
        folder.mkdir()
        shutil.unpack_archive(file, folder)
    return folder / inside if (folder / inside).exists() else folder


def cases(target):
    """(name, right answer where known, kripke's arguments, peer's arguments) of all that can be had."""
    folders = {}
    for name in LIBRARIES:
        try:
            folders[name] = library(name, target)
        except (OSError, ValueError, subprocess.CalledProcessError) as problem:
            print(f"left out: {name}: {problem}", file=sys.stderr)
    result = []
    for harness, name, files, sizes, definitions in HARNESSES:
        for size in sizes:
            result.append((name, f"{harness}_{size}", harness, files, [f"N={size}", *definitions]))
    for function in FIXMATH:
        two = ["TWO"] if function == "fix16_div" else []
        result.append(("libfixmath", function, "fixmath", FIXMATH_FILES, [f"FUNCTION={function}", *two]))
    return [case(folders[name], *rest) for name, *rest in result if name in folders]


def case(folder, title, harness, files, definitions):
    """One line of the table."""
    sources = [str(HERE / "real" / f"{harness}.c"), *(str(folder / file) for file in files)]
    ours = [*sources, f"-I{folder}", *(f"-D{definition}" for definition in definitions), "--memory-limit", "4G"]
    peer = [*sources, "-I", str(folder), *(part for definition in definitions for part in ("-D", definition))]
    peer += ["--incremental-bmc", "--unlimited-k-steps", "--overflow-check", "--memlimit", "4g"]
    return title, None, ours, peer
