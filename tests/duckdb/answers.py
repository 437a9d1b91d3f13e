"""Answers questions about a table of people by DuckDB.

    answers.py < QUESTION

QUESTION is {"file": CSV, "kinds": {HEADER: "number" | "truth" | "text"}, "asks": [[FUNCTION, HEADER] or [FUNCTION, HEADER, VALUE]]}; FUNCTION is `count`, `sum`
or `mean`, as in a measure. Prints a list: a number for each, or null where it is of nobody.
"""

import json
import sys

import duckdb

KINDS = {"number": "DOUBLE", "truth": "BOOLEAN", "text": "VARCHAR"}
# Both add as if no step rounded.
OVER_NUMBERS = {"sum": "coalesce(fsum({}), 0)", "mean": "favg({})"}


def asked(kinds, function, header, *value):
    """The expression for one question, and the values that it takes."""
    column = '"' + header.replace('"', '""') + '"'
    if value:
        return f"count(*) FILTER (WHERE {column} = ?)", list(value)
    if function == "count":
        counted = f"{column} IS NOT NULL" + (f" AND {column}" if kinds[header] == "truth" else "")
        return f"count(*) FILTER (WHERE {counted})", []
    return OVER_NUMBERS[function].format(column), []


def main():
    """Reads one question, and prints its answers."""
    question = json.load(sys.stdin)
    types = {header: KINDS[kind] for header, kind in question["kinds"].items()}
    people = duckdb.read_csv(question["file"], header=True, delimiter=",", dtype=types)
    answers = []
    for ask in question["asks"]:
        expression, values = asked(question["kinds"], *ask)
        answers.append(duckdb.sql(f"SELECT {expression} FROM people", params=values).fetchall()[0][0])
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
