#!/usr/bin/env python3
"""Estimates what the kernels cost on 64-bit ARM: cycles by llvm-mca, with the scalar twin and with NEON.

Builds tests/portability/kernel_calls.c with a cross compiler, runs it under qemu-aarch64 with one instruction a block, and
gives llvm-mca the instructions that each call executed. So loops and branches are as executed, every branch counts as
predicted, every load hits the first cache, and no load waits for a store: the figures are estimates, not measurements.

Needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user and llvm-19. Prints a table for docs/kernels.md.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "estimates")
CROSS = "aarch64-linux-gnu-"
MCA = "llvm-mca-19"
PROCESSORS = [("neoverse-n1", "Neoverse N1"), ("cortex-a72", "Cortex-A72"), ("apple-m1", "Apple M1")]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def build():
    """Returns the path of the program."""
    run("cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_SYSTEM_NAME=Linux",
        "-DCMAKE_SYSTEM_PROCESSOR=aarch64", f"-DCMAKE_C_COMPILER={CROSS}gcc", "-DCMAKE_EXE_LINKER_FLAGS=-static",
        *(f"-DTERRANE_BUILD_{part}=OFF" for part in ("VIEWER", "BENCH", "TOOLS", "TESTS", "EXAMPLES")))
    run("cmake", "--build", BUILD, "--target", "kernel_calls")
    return os.path.join(BUILD, "tests", "portability", "kernel_calls")


def split(text):
    """Splits a load or store that also moves its address, as processors do. llvm-mca has the new address wait for the data."""
    match = re.match(r"(\S+\s+.*\[)(\w+)\], #(-?\w+)$", text)
    if match:
        return [f"{match[1]}{match[2]}]", f"add {match[2]}, {match[2]}, #{match[3]}"]
    match = re.match(r"(\S+\s+.*\[)(\w+), #(-?\w+)\]!$", text)
    if match:
        return [f"add {match[2]}, {match[2]}, #{match[3]}", f"{match[1]}{match[2]}]"]
    return [text]


def instructions(program):
    """Returns the assembly of every address, fit for llvm-mca."""
    found = {}
    for line in run(f"{CROSS}objdump", "-d", "--no-show-raw-insn", program).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t(.*)", line)
        if not match:
            continue
        text = match[2].split("//")[0].strip()
        text = re.sub(r"\b[0-9a-f]+ <[^>]*>", "there", text)
        text = re.sub(r"^bl(r)?\s.*|^br\s.*|^ret.*", "b there", text) # llvm-mca charges calls with 100 cycles
        found[int(match[1], 16)] = split(text)
    return found


def marks(program):
    """Returns the addresses of the two marks."""
    symbols = {line.split()[2]: int(line.split()[0], 16) for line in run(f"{CROSS}nm", program).splitlines()
               if len(line.split()) == 3}
    return symbols["estimate_begin"], symbols["estimate_end"]


def calls(program):
    """Runs the program. Returns the names of the calls, and the addresses that each executed."""
    begin, end = marks(program)
    trace, to = os.pipe()
    traced = subprocess.Popen(["qemu-aarch64", "-cpu", "cortex-a72", "-singlestep", "-d", "exec,nochain", "-D", f"/dev/fd/{to}", program],
                              stdout=subprocess.PIPE, pass_fds=[to], text=True)
    os.close(to)
    executed, current = [], None
    with os.fdopen(trace) as lines:
        for line in lines:
            match = re.match(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", line)
            if not match:
                continue
            at = int(match[1], 16)
            if at == begin:
                current = []
            elif at == end and current is not None:
                executed.append(current)
                current = None
            elif current is not None:
                current.append(at)
    names = [tuple(line.split("\t")) for line in traced.communicate()[0].splitlines()]
    if traced.returncode != 0 or len(names) != len(executed):
        sys.exit(f"kernel_estimates.py: {program} failed, or {len(names)} calls left {len(executed)} traces.")
    return names, executed


def cycles(code, processor):
    """Returns the cycles that llvm-mca estimates for straight code."""
    out = subprocess.run([MCA, "-mtriple=aarch64", f"-mcpu={processor}", "-iterations=1", "--all-views=false",
                          "--summary-view"], input="\n".join(code) + "\n", capture_output=True, text=True, check=True).stdout
    return int(re.search(r"Total Cycles:\s*(\d+)", out)[1])


def main():
    program = build()
    assembly = instructions(program)
    table, units = {}, {}
    for (part, kernel, name, items, unit), addresses in zip(*calls(program)):
        code = [text for at in addresses for text in assembly[at]]
        units[part, kernel] = unit
        table.setdefault((part, kernel), {})[name] = [cycles(code, mcpu) / int(items) for mcpu, _ in PROCESSORS]
    print("| part | kernel | cycles for each | " + " | ".join(f"{title}: scalar | NEON | ratio" for _, title in PROCESSORS) + " |")
    print("|---|---|---|" + "--:|--:|--:|" * len(PROCESSORS))
    for (part, kernel), sets in table.items():
        scalar, neon = sets["scalar"], sets["NEON"]
        cells = " | ".join(f"{a:.3g} | {b:.3g} | {a / b:.1f}×" for a, b in zip(scalar, neon))
        print(f"| {part} | {kernel} | {units[part, kernel]} | {cells} |")


if __name__ == "__main__":
    main()
