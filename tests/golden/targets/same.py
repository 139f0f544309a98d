"""Reads artefacts back with the parsers of Python and compares what they say.

    same.py GIVEN FILE EXPECTED    the differences are the lines of EXPECTED, no more, no less

Prints nothing when all is well. YAML is left out where PyYAML is not installed: tests/unit/doc_test
reads it with libyaml in any case. Overrides of a shell script are its words NAME=VALUE.
"""
import ast
import json
import shlex
import sys

import tomllib


def load(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if path.endswith(".json"):
        return json.loads(text)
    if path.endswith(".toml"):
        return tomllib.loads(text)
    if path.endswith(".py"):
        return {ast.unparse(n.targets[0])[4:]: value_of(n.value)
                for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Assign)}
    if path.endswith(".sh"):
        return words(text)
    import yaml
    return yaml.safe_load(text)


def value_of(node):
    return ast.unparse(node) if isinstance(node, ast.Call) else ast.literal_eval(node)


def words(text):
    """Flags and NAME=VALUE words of a script, variables left as they are."""
    said, flag = {}, None
    for line in text.replace("\\\n", " ").splitlines():
        for word in shlex.split(line, comments=True):
            name, sign, value = word.partition("=")
            if word.startswith("-"):
                flag, said[word] = word, ""
            elif flag:
                said[flag] = (said[flag] + " " + word).strip()
            elif sign:
                said[name] = value
        if "=" in line and not line.lstrip().startswith("-"):
            flag = None
    return said


def flat(value, path=""):
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from flat(inner, f"{path}.{name}" if path else str(name))
    else:
        yield path, value


def show(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value)
    return repr(float(value)) if isinstance(value, (int, float)) else json.dumps(value)


def differences(given, emitted):
    given, emitted = dict(flat(load(given))), dict(flat(load(emitted)))
    for key in sorted(given.keys() | emitted.keys()):
        if key not in emitted:
            yield f"- {key} {show(given[key])}"
        elif key not in given:
            yield f"+ {key} {show(emitted[key])}"
        elif show(given[key]) != show(emitted[key]):
            yield f"! {key} {show(given[key])} {show(emitted[key])}"


def plain(path):
    with open(path, encoding="utf-8") as f:
        return [line.split("#")[0].rstrip() for line in f if line.split("#")[0].strip()]


def main(*arguments):
    try:
        given, emitted, expected = arguments
        found, wanted = list(differences(given, emitted)), plain(expected)
        print("".join(f"not expected: {line}\n" for line in found if line not in wanted), end="")
        print("".join(f"did not come: {line}\n" for line in wanted if line not in found), end="")
    except ModuleNotFoundError:
        pass


main(*sys.argv[1:])
