"""Makes a program smaller for as long as a property stays true: statements and blocks are left out, orders made weaker."""
import re

from .program import Unsupported


def pieces(lines):
    """Ranges of lines that can be left out: single statements and whole blocks."""
    for i, line in enumerate(lines):
        text = line.strip()
        if not text or text in ("}", "} else {") or text.startswith("scenario"):
            continue
        end = i + 1
        depth = text.count("{") - text.count("}")
        while depth > 0 and end < len(lines):
            depth += lines[end].count("{") - lines[end].count("}")
            end += 1
        yield i, end
        if end > i + 2:
            yield i, i + 1    # the block without its head: the rest below
    

def smaller(source):
    lines = source.split("\n")
    for i, end in pieces(lines):
        if end == i + 1 and lines[i].rstrip().endswith("{"):
            close, depth = i + 1, 1
            while depth:
                depth += lines[close].count("{") - lines[close].count("}")
                close += 1
            yield "\n".join(lines[:i] + lines[i + 1:close - 1] + lines[close:])
        else:
            yield "\n".join(lines[:i] + lines[end:])
    for match in re.finditer(r"\b(acquire|release|acqrel|seqcst)\b", source):
        if source[:match.start()].rstrip()[-1:] == ",":
            yield source[:match.start()] + "relaxed" + source[match.end():]


def shrink(source, stays):
    changed = True
    while changed:
        changed = False
        for candidate in smaller(source):
            try:
                if stays(candidate):
                    source, changed = candidate, True
                    break
            except (Unsupported, IndexError, KeyError, AttributeError, TypeError):
                continue
    return source
