"""What the documents say is there: links, commands, names, counts, and the readme's example."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from backroll import load, solve
from backroll.cli import app
from backroll.testing import check

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
METHODS = ("newton", "topological", "iteration", "turns", "policy")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def slugs(path: Path) -> set[str]:
    """The anchors of a page's headings, as they are made where pages are shown."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def blocks(language: str, text: str) -> Iterator[str]:
    """The code blocks in a language."""
    yield from re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    for link in links:
        if link.startswith("https://"):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), link
        assert not heading or heading in slugs(target), link


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_are_commands(page: Path) -> None:
    commands: Any = typer.main.get_command(app)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    lines = "".join(blocks("sh", page.read_text())).splitlines()
    for line in filter(None, lines):
        program, name, *arguments = shlex.split(line, comments=True)
        if program == "make":
            assert name in targets
        else:
            assert program in ("backroll", ".venv/bin/backroll"), line
            commands.commands[name].make_context(name, arguments)


def test_the_readme_shows_its_commands_and_leaves_room_for_results() -> None:
    text = (ROOT / "README.md").read_text()
    assert [block.count("make ") for block in blocks("sh", text)] == [2, 0, 0]
    assert [block.count("/backroll ") for block in blocks("sh", text)] == [0, 6, 4]
    assert text.count("<!-- results -->") == text.count("<!-- /results -->") == 1
    assert text.index("<!-- results -->") < text.index("<!-- /results -->")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_names_of_the_code_are_there(page: Path) -> None:
    text = page.read_text()
    for name in re.findall(r"`(backroll(?:\.\w+)+)`", text):
        assert found(name), name
    for path in re.findall(r"`((?:src|tests|docs|kernels|engines|games)/[\w/.]*)`", text):
        assert path.endswith("my_game.py") or any(
            (place / path).exists() for place in (ROOT, ROOT / "src" / "backroll")
        ), path


def found(name: str) -> Any:
    """The module or its member of a dotted name."""
    parts = name.split(".")
    for split in range(len(parts), 0, -1):
        try:
            thing: Any = import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            thing = getattr(thing, part)
        return thing
    return None


def test_the_readmes_game_passes_every_check(tmp_path: Path) -> None:
    example = next(blocks("python", (ROOT / "README.md").read_text()))
    code = "\n".join(line[4:] for line in example.splitlines())
    assert "class Divers" in code
    path = tmp_path / "divers.py"
    path.write_text(code)
    assert check(load(f"{path}:Divers,goal=4")) == []


def counts() -> list[list[str]]:
    """The table of iterations in the page on algorithms."""
    text = (ROOT / "docs" / "algorithms.md").read_text()
    table = text.partition("<!-- iterations -->")[2].partition("<!-- /iterations -->")[0]
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in table.split("\n")]
    return [row for row in rows if row][2:]


def sized(row: list[str]) -> Any:
    """A row of a game small enough to solve five times over."""
    return pytest.param(row, id=row[0], marks=[pytest.mark.compiled] if len(row[1]) > 3 else [])


@pytest.mark.parametrize("row", [sized(row) for row in counts() if len(row[1]) < 6])
def test_iterations_are_those_that_are_printed(row: list[str]) -> None:
    spec, *numbers = row
    positions, cyclic, *printed = (int(number.replace(",", "")) for number in numbers)
    reports = [solve(load(spec), method, engine="general").report for method in METHODS]
    assert [report.iterations for report in reports] == printed
    assert (reports[0].positions, reports[0].cyclic) == (positions, cyclic)
