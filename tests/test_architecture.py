"""The shape of the code: sizes, names, and where Numba may stand."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import pytest

import backroll

SOURCE = Path(backroll.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
VAGUE = {"utils", "util", "core", "base", "common", "helpers", "manager", "misc"}


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_file_has_a_docstring_and_fits_a_few_screens(path: Path) -> None:
    text = path.read_text()
    assert ast.get_docstring(ast.parse(text))
    assert len(text.splitlines()) <= 400
    assert path.stem not in VAGUE


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.walk(ast.parse(path.read_text()))
    return [node for node in tree if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_the_median_function_is_short() -> None:
    lengths = [
        node.end_lineno - node.body[0].lineno + 1
        for path in MODULES
        for node in functions(path)
        if node.end_lineno
    ]
    assert len(lengths) > 200
    assert median(lengths) < 12


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_numba_stands_in_kernels_only(path: Path) -> None:
    imported = {
        name.name.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import)
        for name in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
    }
    assert "numba" not in imported or path.parent.name == "kernels"
    assert "pickle" not in imported


@pytest.mark.parametrize("path", sorted((SOURCE / "kernels").glob("*.py")), ids=name_of)
def test_every_kernel_is_compiled_the_one_way(path: Path) -> None:
    if path.stem in {"__init__", "vectors"}:  # what is compiled into kernels
        return
    for function in functions(path):
        decorators = [node.id for node in function.decorator_list if isinstance(node, ast.Name)]
        assert len(decorators) == 1, function.name
        assert decorators[0] in {"kernel", "bare", "inlined"}, function.name
