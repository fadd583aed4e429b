#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plain technical English (CONTRIBUTING.md, rule 10): find private words; exit 1 if there is one.

    tools/check_words.py [FILE ...]     default: the documents, and comments and strings of src/ and include/

Prints FILE:LINE: the words found; what to write instead. Code in documents is not checked: it holds
names, commands and program output. To allow a word in one place, reword the sentence; there is no exception by line.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "data/README.md", "results/README.md",
             "bench/SPEED.md", "tests/frozen/README.md", "docs/*.md"]
SOURCES = ["include/*.h", "src/**/*.c", "src/**/*.h", "src/**/*.def"]

# Not clean yet. Delete a line when its files are clean; from then on they are checked.
NOT_YET = [
    "src/model/renamed.c",  # contains the old names of settings
]

PER = ("vertices|rows?|folds?|seconds|minutes|epochs?|figures?|lines?|one|once|steps|runs|trainings|times|products?|"
       "entries|words?|features?|hops?|files?|fits?|ns|ms|weight|operators?|formats?")
OF = "class|vertex|row|hop|split|training|epoch|pass|step|file|view|method|format|op|run|data set|range|cell"
NOUN = ("run|set|step|label|vertex|vertices|pass|loss|accuracy|data|row|time|loop|epoch|split|point|column|fold|method|"
        "target|mask|example|figure")

# pattern, what to write instead. A space stands for any white space, also a line end.
WORDS = [
    (r"in vain", "self-training is unstable"),
    (r"strangers?|estranged?", "uncorrelated"),
    (r"foretell\w*|foretold", "predict"),
    (r"surer half", "top-50 % confidence accuracy"),
    (r"surer|surest", "more, most confident"),
    (r"second look|look(s|ed)? twice", "refinement"),
    (r"parted by", "separated by"),
    (r"apart by", "difference"),
    (r"hear|hears|heard", "gets weight"),
    (r"told", "say who does what: 'by default', 'if given'"),
    (r"rehears\w+", "stability"),
    (r"kinship", "feature homophily"),
    (r"amounts(?! (to|of))", "numeric features"),
    (r"(un)?like vertices", "vertices of the same class, of different classes"),
    (r"(say|tell)s? (little|nothing|much|most|few|anything) of", "carries little information on"),
    (rf"labels? a class|({PER}) an? ({OF})", "per"),
    (r"trainings", "training runs"),
    (rf"(a|one|each|every|another) training(?! ({NOUN})s?\b)", "a training run"),
    (r"stands? (in|on|at|beside|under|below|above|there|first|already|still|alone|behind)", "is in, is beside"),
    (r"nobody|whoever|who asks?", "name the function or the user"),
    (r"go on|goes on|going on|went on", "continue, resume"),
    (r"(did not|does not|do not|hardly|what) pays?|pays (everywhere|nothing|no heed)", "help"),
    (r"wanted rows|rows (that are )?wanted|rows asked for", "requested rows"),
    (r"can be believed|how far .{0,30} believed", "reliable"),
    (r"holds? the line", "check"),
    (r"seeds\.csv", "known.csv"),
    (r"by twos", "in pairs"),
]
PATTERN = re.compile("|".join(rf"(?P<w{k}>\b(?:{p})\b)" for k, (p, _) in enumerate(WORDS)).replace(" ", r"\s+"), re.I)
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(text):
    """The same length and line ends, without any word; no pattern matches across it."""
    return re.sub(r"[^\n]", "\0", text)


def prose_of_c(text):
    """Comments and strings, at the same offsets as in text. Nothing but white space is between joined strings."""
    out, at = [], 0
    for m in TOKEN.finditer(text):
        between = text[at:m.start()]
        out.append(between if between.strip() == "" else blank(between))
        token = m.group()
        if token.startswith("/*"):
            token = re.sub(r"(?m)^(\s*)\*", r"\1 ", " " + " " + token[2:-2] + "  ")
        elif token.startswith('"'):
            token = " " + re.sub(r"\\.", "  ", token[1:-1]) + " "
        elif token.startswith("'"):
            token = blank(token)
        out.append(token)
        at = m.end()
    return "".join(out) + blank(text[at:])


def prose_of_document(text):
    """The text without code."""
    text = re.sub(r"(?ms)^( *)```.*?^\1```$", lambda m: blank(m.group()), text)
    text = re.sub(r"`[^`]*`", lambda m: blank(m.group()), text)
    return re.sub(r"(?m)^ {4,}(?![*\d-]).*$", lambda m: blank(m.group()) if is_code(text, m) else m.group(), text)


def is_code(text, m):
    """Indented text after an empty line is code, unless it continues a list, which is indented by 2 or 3."""
    before = text[:m.start()].split("\n")
    k = len(before) - 2
    while k >= 0 and before[k].startswith("    "):
        k -= 1
    return k >= 0 and before[k].strip() == ""


def breaches(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        text = f.read()
    prose = prose_of_c(text) if path.endswith((".c", ".h", ".def")) else prose_of_document(text)
    for m in PATTERN.finditer(prose):
        instead = WORDS[int(m.lastgroup[1:])][1]
        yield prose.count("\n", 0, m.start()) + 1, f'"{" ".join(m.group().split())}"; write: {instead}'


def not_yet(path):
    return next((entry for entry in NOT_YET if path == entry or path.startswith(entry + "/")), None)


def main(paths):
    if not paths:
        for pattern in DOCUMENTS + SOURCES:
            paths += sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, pattern), recursive=True))
    bad, waiting = 0, {entry: 0 for entry in NOT_YET}
    for path in paths:
        entry = not_yet(path)
        for line, what in breaches(path):
            if entry:
                waiting[entry] += 1
            else:
                print(f"{path}:{line}: {what}")
                bad += 1
    for entry, n in waiting.items():
        print(f"{entry}: {n} to reword" if n else f"{entry}: clean; delete its line in NOT_YET of tools/check_words.py")
    print(f"words: {bad} to reword in {len(paths)} files" if bad else f"words: ok, {len(paths)} files")
    return 1 if bad or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
