#!/usr/bin/env python3
"""The tables of docs/real-projects.md: what is checked of each project, and what came out beside the peer.

    python3 benches/table.py [bench.json]

`make bench SUITE=real` writes them to target/real-projects.md. What a harness checks is told by the comment
that it begins with.
"""

import json
import pathlib
import sys

import real


def described(harness):
    """The comment that a harness begins with, without the project's name."""
    lines = (real.HERE / "real" / f"{harness}.c").read_text().splitlines()
    comment = []
    while lines[len(comment)].startswith("// "):
        comment.append(lines[len(comment)][3:])
    return " ".join(comment).split(": ", 1)[1]


def version(source):
    """The release that an archive has in its name, or the commit."""
    if source.registry == "git":
        return source.package.rsplit("@", 1)[1][:8]
    stem = source.archive.split(".orig")[0].split(".tar")[0]
    return stem.replace("_", "-").rsplit("-", 1)[1]


def origin(source):
    if source.registry == "git":
        return f"[git]({source.package.rsplit('@', 1)[0]})"
    package = source.package.split("==")[0]
    return f"Debian's `{package}`" if source.registry == "apt" else f"PyPI's `{package}`"


def projects():
    yield "| project | version | from | harness | what is checked |"
    yield "|---|---|---|---|---|"
    seen = set()
    for check in sorted(real.CHECKS, key=lambda check: check.project.lower()):
        if check.harness in seen:
            continue
        seen.add(check.harness)
        source = real.PROJECTS[check.project]
        harness = f"[{check.harness}](../benches/real/{check.harness}.c)"
        cells = [check.project, version(source), origin(source), harness, described(check.harness)]
        yield f"| {' | '.join(cells)} |"


def results(rows):
    yield "| check | verdict | s | MB | ESBMC | s | MB | times faster |"
    yield "|---|---|---:|---:|---|---:|---:|---:|"
    for row in rows:
        ours, peer = row["ours"], row["peer"]
        cells = [row["program"], told(row, "ours"), f"{ours['seconds']:.1f}", f"{ours['own']:.0f}"]
        cells += [told(row, "peer"), f"{peer['seconds']:.1f}", f"{peer['megabytes']:.0f}"]
        cells += [f"{row['time_ratio']:.1f}" if row["both"] else ""]
        yield f"| {' | '.join(cells)} |"


def told(row, tool):
    verdict = row[tool]["verdict"]
    if verdict not in ("holds", "violated"):
        return f"*{verdict}*"
    return f"{verdict} (wrong)" if tool in row["wrong"] else verdict


def tables(rows):
    return "\n".join([*projects(), "", *results(rows), ""])


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/bench.json")
    print(tables([row for row in json.loads(file.read_text()) if row["suite"] == "real"]))
