"""The parts of the pages on the doors that are made from the code.

``python -m tests.envs.pages`` writes them into the pages; a test holds the pages to them.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

from popejoan.envs import VERSION, setting
from popejoan.envs.encoding import CARDS, LAPSE, Encoding, action_text
from popejoan.envs.openspiel import _PARAMETERS, NAME, PopeJoanGame
from popejoan.envs.setting import Setting
from popejoan.rules import Rules

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("envs", "envs-pettingzoo", "envs-gymnasium", "envs-openspiel")
HISTORY = {0: "the first"}
"""What each version of the doors changed."""


def meanings(source: str, name: str) -> dict[str, str]:
    """What stands below each field of a class."""
    (body,) = (
        node.body
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name == name
    )
    found = {}
    for field, says in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(says, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(says.value, ast.Constant)
            found[field.target.id] = " ".join(str(says.value.value).split()).replace("``", "`")
    return found


def options() -> str:
    says = meanings(inspect.getsource(setting), "Setting")
    lines = ["| option | unless given | what it does |", "|---|---|---|"]
    for each in fields(Setting):
        if each.init:
            default = repr(each.default).replace("'", '"')
            lines.append(f"| `{each.name}` | `{default}` | {says[each.name]} |")
    return "\n".join(lines)


def parameters() -> str:
    lines = ["| parameter | unless given |", "|---|---|"]
    lines += [f"| `{name}` | `{value}` |" for name, value in _PARAMETERS.items()]
    return "\n".join(lines)


def pieces() -> str:
    return Encoding(Rules.HOYLE, 4, claims=True).table()


def sizes() -> str:
    counts = " | ".join(map(str, range(2, 11)))
    size = " | ".join(str(Encoding(Rules.PEEL, players).size) for players in range(2, 11))
    return f"| players | {counts} |\n|---|{'---:|' * 9}\n| numbers | {size} |"


def actions() -> str:
    rows = ["| action | what it does |", "|---|---|", "| 0 to 51 | plays the card of that number |"]
    rows += [f"| {nth} | {action_text(nth)} |" for nth in range(CARDS, LAPSE + 1)]
    return "\n".join(rows)


def tensors() -> str:
    game = PopeJoanGame({})
    lines = ["| piece | shape | observation | information state |", "|---|---|---|---|"]
    import pyspiel

    plain = game.make_py_observer().dict
    whole = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True)).dict
    for name, values in whole.items():
        shape = " × ".join(map(str, values.shape))
        lines.append(f"| `{name}` | {shape} | {'yes' if name in plain else ''} | yes |")
    return "\n".join(lines)


def history() -> str:
    assert VERSION in HISTORY, "say what the new version changed"
    return "\n".join(f"- v{version}: {what}." for version, what in HISTORY.items())


MADE = {
    "options": options,
    "parameters": parameters,
    "pieces": pieces,
    "sizes": sizes,
    "actions": actions,
    "tensors": tensors,
    "history": history,
}


def filled(page: str) -> str:
    """The text of a page with every part that is made from the code made anew."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    for name, make in MADE.items():
        start, end = f"<!-- made: {name} -->", "<!-- end -->"
        text = re.sub(
            f"{re.escape(start)}.*?{re.escape(end)}",
            lambda _, start=start, end=end, make=make: f"{start}\n{make()}\n{end}",  # type: ignore[misc]
            text,
            flags=re.DOTALL,
        )
    return text


assert NAME

if __name__ == "__main__":
    for each in PAGES:
        (DOCS / f"{each}.md").write_text(filled(each), encoding="utf-8")
