"""Rows of LANES numbers held in vector registers, for the kernels that run programs.

LLVM unrolls a loop over so few lanes before it looks for vectors, and an accumulator in memory
costs a load and a store with every addition. A row of the type below is a vector of LLVM's, so
that what is written with rows compiles to vector instructions and to nothing else. On the
machine where this was measured it is four to five times as fast as the same in loops.

Each operation is written twice: as a Python function, which says what it means and is what runs
under NUMBA_DISABLE_JIT, and as the instructions for it. No operation is fused or reordered, so
that both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

LANES = 8
"""One AVX-512 register of float64. Sixteen were 2 % faster where all were used, which is rare."""

Row = NDArray[np.float64]
Mask = NDArray[np.bool_]

_LANE = ir.IntType(32)
_ELEMENTS = {"row": ir.DoubleType(), "mask": ir.IntType(1)}


class _Vector(types.Type):
    """LANES elements in a register."""


@register_model(_Vector)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        vector = ir.VectorType(_ELEMENTS[kind.name], LANES)
        super().__init__(manager, kind, vector)  # type: ignore[no-untyped-call]


_ROW, _MASK = _Vector("row"), _Vector("mask")
_VECTOR = ir.VectorType(_ELEMENTS["row"], LANES)
Build = Callable[[Any, Any, Any, Sequence[Any]], Any]


def _place(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
    """The address of row `arguments[1]` of an array of rows."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    start = builder.mul(arguments[1], ir.Constant(arguments[1].type, LANES))
    return builder.bitcast(builder.gep(array.data, [start]), _VECTOR.as_pointer())


def _splat(builder: Any, number: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(_LANE, 0))
    zeros = ir.Constant(ir.VectorType(_LANE, LANES), [0] * LANES)
    return builder.shuffle_vector(first, nothing, zeros)


def _row(_: Any, rows: Any, i: Any) -> tuple[Any, Build]:
    def build(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
        loaded = builder.load(_place(context, builder, signature, arguments))
        loaded.align = 8
        return loaded

    return _ROW(rows, types.intp), build


def _put(_: Any, rows: Any, i: Any, x: Any) -> tuple[Any, Build]:
    def build(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
        stored = builder.store(arguments[2], _place(context, builder, signature, arguments))
        stored.align = 8
        return context.get_dummy_value()

    return types.void(rows, types.intp, _ROW), build


def _item(_: Any, numbers: Any, i: Any) -> tuple[Any, Build]:
    def build(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        loaded = builder.load(builder.gep(array.data, [arguments[1]]))
        if numbers.dtype == types.float64:
            return loaded
        return builder.sext(loaded, ir.IntType(64)) if loaded.type.width < 64 else loaded

    result = types.float64 if numbers.dtype == types.float64 else types.int64
    return result(numbers, types.intp), build


def _same(_: Any, number: Any) -> tuple[Any, Build]:
    return _ROW(types.float64), lambda c, b, s, a: _splat(b, a[0])


def _plus(_: Any, x: Any, y: Any) -> tuple[Any, Build]:
    return _ROW(_ROW, _ROW), lambda c, b, s, a: b.fadd(*a)


def _minus(_: Any, x: Any, y: Any) -> tuple[Any, Build]:
    return _ROW(_ROW, _ROW), lambda c, b, s, a: b.fsub(*a)


def _times(_: Any, number: Any, x: Any) -> tuple[Any, Build]:
    return _ROW(types.float64, _ROW), lambda c, b, s, a: b.fmul(_splat(b, a[0]), a[1])


def _above(_: Any, x: Any, y: Any) -> tuple[Any, Build]:
    return _MASK(_ROW, _ROW), lambda c, b, s, a: b.fcmp_ordered(">", *a)


def _pick(_: Any, mask: Any, x: Any, y: Any) -> tuple[Any, Build]:
    return _ROW(_MASK, _ROW, _ROW), lambda c, b, s, a: b.select(*a)


def _none(_: Any, mask: Any) -> tuple[Any, Build]:
    def build(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.icmp_unsigned("==", bits, ir.Constant(bits.type, 0))

    return types.boolean(_MASK), build


def _gathered(_: Any, table: Any, start: Any, further: Any, i: Any) -> tuple[Any, Build]:
    def build(context: Any, builder: Any, signature: Any, arguments: Sequence[Any]) -> Any:
        numbers = context.make_array(signature.args[0])(context, builder, arguments[0])
        rows = context.make_array(signature.args[2])(context, builder, arguments[2])
        begin = builder.mul(arguments[3], ir.Constant(arguments[3].type, LANES))
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            at = builder.add(begin, ir.Constant(begin.type, lane))
            place = builder.add(arguments[1], builder.load(builder.gep(rows.data, [at])))
            number = builder.load(builder.gep(numbers.data, [place]))
            vector = builder.insert_element(vector, number, ir.Constant(_LANE, lane))
        return vector

    return _ROW(table, types.int64, further, types.intp), build


def _compiled(meaning: Callable[..., Any], instructions: Callable[..., Any]) -> Callable[..., Any]:
    """The instructions, or under NUMBA_DISABLE_JIT what they mean."""
    config: Any = numba.config
    return meaning if config.DISABLE_JIT else cast(Any, intrinsic(instructions))


item = _compiled(lambda numbers, i: numbers.ravel()[i], _item)
"""item(numbers, i): number i of an array, row by row, for an i that does not count from its end."""
row = _compiled(lambda rows, i: rows[i].copy(), _row)
"""row(rows, i): the row i of an array of shape (n, LANES)."""
put = _compiled(lambda rows, i, x: rows.__setitem__(i, x), _put)
"""put(rows, i, x): keep a row."""
same = _compiled(lambda number: np.full(LANES, number), _same)
"""same(number): the number in every lane."""
plus = _compiled(lambda x, y: x + y, _plus)
minus = _compiled(lambda x, y: x - y, _minus)
times = _compiled(lambda number, x: number * x, _times)
"""times(number, x): every lane times the same number."""
above = _compiled(lambda x, y: x > y, _above)
"""above(x, y): where x is larger."""
pick = _compiled(lambda mask, x, y: np.where(mask, x, y), _pick)
"""pick(mask, x, y): x where the mask holds, y elsewhere."""
none = _compiled(lambda mask: not mask.any(), _none)
"""none(mask): whether the mask holds nowhere."""
gathered = _compiled(lambda table, start, further, i: table[start + further[i]], _gathered)
"""gathered(table, start, further, i): table[start + further[i, lane]] in each lane."""
