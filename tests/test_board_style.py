"""The front end of the board: its colours can be told apart, and it draws what Python sends."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

import backroll
from backroll.board import picture
from backroll.board.faces import Face

FOLDER = Path(backroll.__file__).parent / "board"
CSS = (FOLDER / "board.css").read_text()
JS = (FOLDER / "board.js").read_text()
TEXTS = [
    ("ink", "page"),
    ("ink", "card"),
    ("quiet", "page"),
    ("quiet", "card"),
    ("good", "card"),
    ("first", "card"),
    ("second", "card"),
    ("label", "sign"),
    ("pip", "die"),
    ("pip", "glow"),
]
"""What is written on what: 4.5 to 1 (WCAG 1.4.3)."""
SHAPES = [
    ("line", "page"),
    ("line", "card"),
    ("focus", "page"),
    ("first", "cell"),
    ("second", "cell"),
    ("neutral", "cell"),
    ("on-first", "first"),
    ("on-second", "second"),
]
"""What is drawn on what: 3 to 1 (WCAG 1.4.11)."""


def colours(theme: str) -> dict[str, str]:
    """The colours of a theme by name."""
    start = {"light": ".backroll {", "dark": '.backroll[data-theme="dark"] {'}[theme]
    block = CSS.partition(start)[2].partition("}")[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))


def luminance(colour: str) -> float:
    """How bright a colour is, by the definition of WCAG 2."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_marks_stand_out(theme: str) -> None:
    found = colours(theme)
    for least, pairs in ((4.5, TEXTS), (3, SHAPES)):
        for one, other in pairs:
            assert contrast(found[one], found[other]) >= least, (one, other)


def test_both_themes_have_every_colour() -> None:
    assert colours("light").keys() == colours("dark").keys()
    used = set(re.findall(r"var\(--([\w-]+)\)", CSS))
    assert used == colours("light").keys()


def test_the_browser_and_the_picture_draw_the_same_board() -> None:
    def number(name: str) -> int:
        found = re.search(rf"\b{name}: (\d+)", JS)
        assert found
        return int(found[1])

    assert (number("x"), number("y")) == (picture.ACROSS, picture.UP)
    assert (number("across"), number("along")) == (picture.RIM, picture.LABEL)
    light = colours("light")
    named = ("sign", "cell", "first", "second", "neutral")
    assert all(light[name] in picture._STYLE for name in named)


def test_the_browser_draws_every_kind() -> None:
    kinds = {Face.kind, *(kind.kind for kind in Face.__subclasses__())}
    found = re.search(r"const BOARDS = \{ (.*) \}", JS)
    assert found
    assert set(found[1].split(", ")) == kinds


def test_the_front_end_needs_nothing_else() -> None:
    assert not re.search(r"^\s*import |import\(|https?://(?!www\.w3\.org)|url\(", JS + CSS, re.M)


def test_the_front_end_is_a_module_that_can_be_read(tmp_path: Path) -> None:
    node = which("node")
    if node is None:
        pytest.skip("no node")
    module = tmp_path / "board.mjs"
    module.write_text(JS)
    subprocess.run([node, "--check", str(module)], check=True)
