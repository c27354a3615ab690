"""Validates a JSON document from standard input against one of the contracts beside this file.

    python3 sample.py record.schema.json < record.json

Prints "valid", or one line for each fault, and ends with 1. Knows the keywords that the contracts use, and refuses others.
"""

import json
import pathlib
import re
import sys

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}
SILENT = {"$schema", "$defs", "title", "description", "format"}


def faults(schema, value, root, path="$"):
    """Every place where the value does not match."""
    for keyword, wanted in schema.items():
        if keyword in SILENT:
            continue
        elif keyword == "$ref":
            yield from faults(root["$defs"][wanted.removeprefix("#/$defs/")], value, root, path)
        elif keyword == "type":
            if not any(TYPES[name](value) for name in ([wanted] if isinstance(wanted, str) else wanted)):
                yield f"{path} must be of type {wanted}"
        elif keyword == "enum":
            if value not in wanted:
                yield f"{path} must be one of {wanted}"
        elif keyword == "const":
            if value != wanted:
                yield f"{path} must be {wanted}"
        elif keyword == "pattern":
            if isinstance(value, str) and not re.search(wanted, value):
                yield f"{path} must match {wanted}"
        elif keyword == "minimum":
            if TYPES["number"](value) and value < wanted:
                yield f"{path} must be at least {wanted}"
        elif keyword == "minProperties":
            if isinstance(value, dict) and len(value) < wanted:
                yield f"{path} must have at least {wanted} properties"
        elif keyword == "uniqueItems":
            if isinstance(value, list) and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
                yield f"{path} must not repeat items"
        elif keyword == "items":
            for index, item in enumerate(value if isinstance(value, list) else []):
                yield from faults(wanted, item, root, f"{path}[{index}]")
        elif keyword == "required":
            for name in wanted if isinstance(value, dict) else []:
                if name not in value:
                    yield f"{path}.{name} is missing"
        elif keyword == "properties":
            for name, inner in wanted.items():
                if isinstance(value, dict) and name in value:
                    yield from faults(inner, value[name], root, f"{path}.{name}")
        elif keyword == "additionalProperties":
            for name in value.keys() - schema.get("properties", {}).keys() if isinstance(value, dict) else []:
                if wanted is False:
                    yield f"{path}.{name} is not known"
                else:
                    yield from faults(wanted, value[name], root, f"{path}.{name}")
        elif keyword == "oneOf":
            matching = sum(1 for option in wanted if not any(faults(option, value, root, path)))
            if matching != 1:
                yield f"{path} must match exactly one of {len(wanted)} forms, not {matching}"
        else:
            raise SystemExit(f"The keyword {keyword} is not known to this sample.")


if __name__ == "__main__":
    contract = json.loads((pathlib.Path(__file__).parent / sys.argv[1]).read_text())
    found = list(faults(contract, json.load(sys.stdin), contract))
    print("\n".join(found) or "valid")
    sys.exit(1 if found else 0)
