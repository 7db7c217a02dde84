#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""workloads/schema.json fits every file of workloads/ and the words the reader knows.

Ends with 77 (skipped) where Python has no jsonschema.
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).parent.parent
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)


def strict(text):
    """Without comments and trailing commas."""
    text = TOKEN.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)
    return re.sub(r",(\s*[}\]])", r"\1", text)


def words(node):
    """Every key that the schema defines."""
    found = set()
    if isinstance(node, dict):
        found |= set(node.get("properties", {}))
        found |= {p.strip("^").split("(")[0] for p in node.get("patternProperties", {})}
        for value in node.values():
            found |= words(value)
    elif isinstance(node, list):
        for value in node:
            found |= words(value)
    return found


def reader_words():
    """Every key in the reader's tables, save those it refuses as not simulated."""
    found = set()
    for path in sorted((ROOT / "sim/workload").glob("*.c")):
        text = path.read_text()
        for table in re.findall(r"(?:task|phase|root|known|ignored)?_?keys\[\] = \{(.*?)\};",
                                text, re.S):
            found |= set(re.findall(r'"([^"]+)"', table))
        for table in re.findall(r"unsupported_keys\[\] = \{(.*?)\};", text, re.S):
            found -= set(re.findall(r'"([^"]+)"', table))
    return found


def main():
    failed = 0
    schema = json.loads((ROOT / "workloads/schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for path in sorted((ROOT / "workloads").glob("*.json")):
        if path.name == "schema.json":
            continue
        for error in validator.iter_errors(json.loads(strict(path.read_text()))):
            print(f"{path.name}: {'.'.join(map(str, error.path))}: {error.message}")
            failed = 1
    missing = reader_words() - words(schema)
    if missing:
        print("not in schema.json:", ", ".join(sorted(missing)))
        failed = 1
    return failed


sys.exit(main())
