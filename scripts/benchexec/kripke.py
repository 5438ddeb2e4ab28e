"""Tool info for BenchExec: how Kripke is run on a task, and what its output means.

Put the project's folder on PYTHONPATH and name the module: benchexec.test_tool_info
scripts.benchexec.kripke, or <benchmark tool="scripts.benchexec.kripke">.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

# What a violation of each kind is in SV-COMP; crates/cli/tests/sv_comp.rs compares it with what is printed.
VIOLATIONS = {
    "assertion": result.RESULT_FALSE_REACH,
    "overflow": result.RESULT_FALSE_OVERFLOW,
    "free": result.RESULT_FALSE_FREE,
    "pointer": result.RESULT_FALSE_DEREF,
    "bounds": result.RESULT_FALSE_DEREF,
    "leak": result.RESULT_FALSE_MEMCLEANUP,
    "data-race": result.RESULT_FALSE_DATARACE,
}

VIOLATED = re.compile(r"^violated\[([a-z-]+)\]: ")
SUMMARY = re.compile(r"^(HOLDS|VIOLATED|UNKNOWN): ")
INPUT_ERROR = 3


class Tool(benchexec.tools.template.BaseTool2):
    """Kripke, a model checker for embedded software."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("kripke", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="kripke")

    def name(self):
        return "Kripke"

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *task.input_files_or_identifier, "--quiet"]
        if task.property_file:
            command += ["--prp", task.property_file]
        model = get_data_model_from_task(
            task, {ILP32: "i386-linux-gnu", LP64: "x86_64-linux-gnu"}
        )
        if model and "--target" not in options:
            command += ["--target", model]
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", f"{rlimits.cputime}s"]
        if rlimits.memory and "--memory-limit" not in options:
            # The rest is for clang, and for the end of the check.
            command += ["--memory-limit", f"{rlimits.memory // 1_000_000 * 9 // 10}MB"]
        return command + options

    def determine_result(self, run):
        summary = None
        kinds = []
        for line in run.output:
            violated = VIOLATED.match(line)
            if violated:
                kinds.append(violated.group(1))
            found = SUMMARY.match(line)
            if found:
                summary = found.group(1)
        if run.exit_code.value == INPUT_ERROR:
            return f"{result.RESULT_ERROR} (input)"
        if summary is None:
            return result.RESULT_ERROR
        if summary == "HOLDS":
            return result.RESULT_TRUE_PROP
        if summary == "UNKNOWN":
            return result.RESULT_UNKNOWN
        for kind in kinds:
            if kind in VIOLATIONS:
                return VIOLATIONS[kind]
        return result.RESULT_FALSE_PROP
