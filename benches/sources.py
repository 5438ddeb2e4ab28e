"""Sources of public projects, brought here when a benchmark runs; they are no part of this project.

An archive comes from Debian's source packages (`apt-get source`, with lists of its own), from PyPI's, or is
the tree of one commit of a git repository. It is checked against its SHA-256 and unpacked. The folder that
KRIPKE_REAL names may have sources that are unpacked already, in folders called as the projects are; they
count before all others, and nothing is known of their versions.
"""

import hashlib
import html
import os
import pathlib
import re
import shutil
import subprocess
import urllib.request
from typing import NamedTuple


class Source(NamedTuple):
    """Where a project comes from: registry, package there, name of the archive and its digest, and the folder
    of the sources in it."""

    registry: str
    package: str
    archive: str
    sha256: str
    inside: str = "."


def folder_of(name, source, target):
    """The folder with a project's sources."""
    own = os.environ.get("KRIPKE_REAL")
    if own and (pathlib.Path(own) / name).is_dir():
        return pathlib.Path(own).resolve() / name
    target.mkdir(parents=True, exist_ok=True)
    file, folder = target / source.archive, target / name
    if not file.exists():
        download(source, target)
    if hashlib.sha256(file.read_bytes()).hexdigest() != source.sha256:
        raise ValueError(f"{file} is not the version that this benchmark is about")
    if not folder.exists():
        folder.mkdir()
        shutil.unpack_archive(file, folder)
    return folder / source.inside


def download(source, target):
    """Brings an archive into the target folder."""
    {"apt": from_debian, "pypi": from_pypi, "git": from_git}[source.registry](source, target)


def run(command, **options):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)


def from_debian(source, target):
    only = ["--tar-only", "--download-only"]
    try:
        run(["apt-get", *apt_options(target), "source", *only, source.package], cwd=target)
    except subprocess.CalledProcessError:
        if not (target / source.archive).exists():  # a package may have further archives, which nobody needs
            raise


def apt_options(target):
    """Options that let apt-get see Debian's source packages, without touching the machine's own lists."""
    folder = target / "apt"
    parts, lists = folder / "sources", folder / "lists"
    fresh = not lists.exists()
    parts.mkdir(parents=True, exist_ok=True)
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    for listed in pathlib.Path("/etc/apt/sources.list.d").glob("debian*.sources"):
        text = listed.read_text().replace("Types: deb\n", "Types: deb-src\n")
        (parts / listed.name).write_text(text)
    options = ["-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={parts}"]
    options += ["-o", f"Dir::State::Lists={lists}", "-o", "APT::Sandbox::User=root", "-q=2"]
    if fresh:
        run(["apt-get", *options, "update"])
    return options


def from_pypi(source, target):
    """The archive alone: pip would build the package, and what its build needs, to learn its name."""
    name = source.package.split("==")[0]
    with urllib.request.urlopen(f"https://pypi.org/simple/{name}/", timeout=60) as answer:
        page = answer.read().decode()
    links = (html.unescape(link) for link in re.findall(r'href="([^"#]*)', page))
    link = next((link for link in links if link.endswith("/" + source.archive)), None)
    if link is None:
        raise ValueError(f"PyPI has no {source.archive}")
    with urllib.request.urlopen(link, timeout=60) as answer:
        (target / source.archive).write_bytes(answer.read())


def from_git(source, target):
    """The tree of a commit as a tar archive, whose bytes follow from the commit."""
    address, commit = source.package.rsplit("@", 1)
    repository = target / "git" / source.archive.removesuffix(".tar")
    run(["git", "init", "--quiet", "--bare", str(repository)])
    git = ["git", "-C", str(repository)]
    run([*git, "fetch", "--quiet", "--depth", "1", address, commit])
    run([*git, "archive", "--format=tar", "-o", str((target / source.archive).resolve()), commit])
