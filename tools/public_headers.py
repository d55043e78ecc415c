"""Reads the public headers: functions, tiers and comments. For the scripts that check or describe them (not run by itself)."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIERS = ("core", "stable", "experimental")
CPP_TIER = "that of the C functions"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def listed(*patterns):
    names = subprocess.check_output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns], cwd=ROOT, text=True)
    return sorted(name for name in set(names.split("\0")) if name and os.path.exists(os.path.join(ROOT, name)))


def code_of(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def prose(comment):
    """The text of a comment's lines, on one line."""
    return " ".join(line.strip().lstrip("/").strip() for line in comment.split("\n"))


def comment_above(lines, at):
    """The lines of the comment `///` that ends above line `at` (both count from 0), without the slashes."""
    end = at
    while at > 0 and re.match(r"\s*///(?!<)", lines[at - 1]):
        at -= 1
    return [re.sub(r"^\s*///? ?", "", line) for line in lines[at:end]]


class Header:
    """A public header: its functions with their declarations, and their tiers."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.faults = []  # sentences
        text = read(path)
        code = code_of(text)
        self.functions = {}
        for match in re.finditer(r"^(TRN_API|static inline)\b([^;{}#]*?\b(trn_\w+)\s*\([^;{]*\))\s*[;{]", code, re.M):
            self.functions[match[3]] = " ".join(match[2].split())
        self.inline = set(re.findall(r"^static inline[^;{]*?\b(trn_\w+)\s*\(", code, re.M))
        self.includes = re.findall(r"#include <terrane/(\w+\.h)>", text)
        self.about = prose(re.match(r"(?:///[^\n]*\n)*", text)[0])
        self.tier, self.tiers = None, {}
        self.read_tiers(self.about)

    def read_tiers(self, comment):
        match = re.search(r"Tier: ([\w+ ]+)\.((?: (?:Core|Experimental): [\w, ]+\.)*) *$", comment)
        if not match:
            self.faults.append('its first comment does not end with a line such as "Tier: stable."')
            return
        self.tier = match[1]
        if self.tier not in ((CPP_TIER,) if self.name.endswith(".hpp") else TIERS):
            self.faults.append(f'there is no tier "{self.tier}".')
        self.tiers = dict.fromkeys(self.functions, self.tier)
        for tier, names in re.findall(r"(Core|Experimental): ([\w, ]+)\.", match[2]):
            for name in names.split(", "):
                if name not in self.functions:
                    self.faults.append(f"gives the tier {tier.lower()} to {name}, which it does not declare.")
                elif self.tiers[name] != self.tier:
                    self.faults.append(f"gives {name} two tiers.")
                else:
                    self.tiers[name] = tier.lower()


def public_headers(extension="h"):
    return [Header(path) for path in listed(f"*/include/terrane/*.{extension}") if "/terrane/private/" not in path]
