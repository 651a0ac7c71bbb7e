import csv
import os
import sys
from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest

from backroll.archive import export_csv, export_zarr, import_csv, import_zarr
from backroll.database import Database, open_table, save
from backroll.errors import BackrollError, CorruptTable, MissingTable, TableError, WrongTable
from backroll.game import Terminal
from tiny import PIGLET, Piglet, Written, flip, solution


@pytest.fixture(params=["float64", "float32", "bounds"])
def piglet(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    bounds = 1e-9 if request.param == "bounds" else None
    dtype = "float32" if request.param == "float32" else "float64"
    save(solution(Piglet(), PIGLET, bounds), tmp_path / "piglet", dtype)
    return tmp_path / "piglet"


def same(one: Path, other: Path) -> bool:
    names = sorted(os.listdir(one))
    return names == sorted(os.listdir(other)) and all(
        (one / name).read_bytes() == (other / name).read_bytes() for name in names
    )


def to_csv(table: Path, file: Path) -> Path:
    with open_table(table, Piglet()) as database:
        export_csv(database, file)
    return file


def test_csv_and_back_gives_the_same_bytes(piglet: Path, tmp_path: Path) -> None:
    file = to_csv(piglet, tmp_path / "piglet.csv")
    import_csv(file, piglet / "manifest.json", tmp_path / "again")
    assert same(tmp_path / "again", piglet)


def test_csv_is_what_it_says() -> None:
    written = StringIO()
    export_csv(Database.of(solution(Piglet(), PIGLET, 0.25)), written)
    assert written.getvalue().splitlines()[:2] == [
        "position,value,lower,upper",
        f'"(0, 0, 0, False)",{4 / 7!r},{4 / 7 - 0.25!r},{4 / 7 + 0.25!r}',
    ]
    assert len(written.getvalue().splitlines()) == 5


def test_csv_keeps_odd_texts(tmp_path: Path) -> None:
    texts = ['say "so"', "a,b", " a ", "tab\t", "nul\0", "é½"]
    game = Written(dict.fromkeys(texts, Terminal(1)))
    save(solution(game, dict.fromkeys(texts, 1.0)), tmp_path / "odd")
    with open_table(tmp_path / "odd", game) as database:
        export_csv(database, tmp_path / "odd.csv")
    with (tmp_path / "odd.csv").open(encoding="utf-8", newline="") as file:
        assert [row[0] for row in csv.reader(file)] == ["position", *texts]
    import_csv(tmp_path / "odd.csv", tmp_path / "odd" / "manifest.json", tmp_path / "again")
    assert same(tmp_path / "again", tmp_path / "odd")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("position,value", "place,worth", "expected the columns position,value.*found place,worth"),
        (
            repr(4 / 7),
            "0.5714285714285715",
            r"piglet\.csv: .* its manifest describes; values\.npy, block 0: expected the checksum",
        ),
        (repr(4 / 7), "much", r"piglet\.csv: could not convert string to float: 'much'"),
        (
            repr(4 / 7),
            f"{4 / 7!r},1",
            r"piglet\.csv, line 2: expected position,value, found '\(0, 0,",
        ),
        ("(1, 1,", "(1, 7,", r"piglet\.csv: .*; positions\.npy, block 0: expected the checksum"),
    ],
)
def test_csv_that_was_changed_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    save(solution(Piglet(), PIGLET), tmp_path / "piglet")
    file = to_csv(tmp_path / "piglet", tmp_path / "piglet.csv")
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(TableError, match=message):
        import_csv(file, tmp_path / "piglet" / "manifest.json", tmp_path / "again")
    assert sorted(os.listdir(tmp_path)) == ["piglet", "piglet.csv"]


def test_files_that_cannot_be_used_are_one_line(tmp_path: Path) -> None:
    database = Database.of(solution(Piglet(), PIGLET))
    with pytest.raises(TableError, match=r"^cannot write .*: No such file or directory$"):
        export_csv(database, tmp_path / "none" / "piglet.csv")
    with pytest.raises(TableError, match=r"^cannot read .*: No such file or directory$"):
        import_csv(tmp_path / "none.csv", tmp_path / "manifest.json", tmp_path / "again")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(TableError, match=r"found nothing$"):
        import_csv(tmp_path / "empty.csv", tmp_path / "manifest.json", tmp_path / "again")


def test_zarr_and_back_gives_the_same_bytes(piglet: Path, tmp_path: Path) -> None:
    export_zarr(piglet, tmp_path / "piglet.zarr")
    import_zarr(tmp_path / "piglet.zarr", tmp_path / "again")
    assert same(tmp_path / "again", piglet)
    assert '"zarr_format": 3' in (tmp_path / "piglet.zarr" / "zarr.json").read_text()


def test_zarr_replaces_nothing(piglet: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(TableError, match="expected nothing there, found a file"):
        export_zarr(piglet, tmp_path / "file")


def test_zarr_that_was_changed_is_refused(tmp_path: Path) -> None:
    save(solution(Piglet(), PIGLET), tmp_path / "piglet")
    export_zarr(tmp_path / "piglet", tmp_path / "whole")
    chunks = [each for each in (tmp_path / "whole").rglob("c/*") if each.is_file()]
    assert len(chunks) == 2
    for number, chunk in enumerate(chunks):
        for bit in range(0, chunk.stat().st_size * 8, 7):
            copied = tmp_path / f"{number}-{bit}"
            copytree(tmp_path / "whole", copied)
            flip(copied / chunk.relative_to(tmp_path / "whole"), bit)
            try:
                import_zarr(copied, tmp_path / "again")
            except (CorruptTable, WrongTable):
                continue
            # a bit that the codec does not read may turn, but no number
            assert same(tmp_path / "again", tmp_path / "piglet")


def test_zarr_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match="expected a Zarr group, found nothing there"):
        import_zarr(tmp_path / "none", tmp_path / "again")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CorruptTable, match="folder: "):
        import_zarr(tmp_path / "folder", tmp_path / "again")


def test_a_zarr_export_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import zarr

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    save(solution(Piglet(), PIGLET), tmp_path / "piglet")
    monkeypatch.setattr(zarr.Group, "create_array", full)
    with pytest.raises(TableError, match=r"cannot write .*: No space left on device"):
        export_zarr(tmp_path / "piglet", tmp_path / "out")
    assert os.listdir(tmp_path) == ["piglet"]


def test_without_zarr_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zarr", None)
    for use in (export_zarr, import_zarr):
        with pytest.raises(BackrollError, match=r"pip install 'backroll\[archive\]'"):
            use(tmp_path / "one", tmp_path / "other")
