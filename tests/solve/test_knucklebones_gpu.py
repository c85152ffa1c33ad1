"""The GPU's solver of classic Knucklebones without a GPU: its source, compiled for this machine, one thread after the
other, and NumPy in the place of CuPy. What this cannot see is whether it is quick, and threads that get in each other's
way."""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dicehall.coach.knucklebones.table import ONE, WIN_ALONE, WIN_DRAW_HALF
from dicehall.solve.knucklebones.cpu import solve
from dicehall.solve.knucklebones.file import LONGEST, solve_into

COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler")

HEAD = """
#include <cmath>
#include <cstring>
#define __global__
#define __device__ static
struct Three { int x, y, z; };
static Three threadIdx, blockIdx, blockDim;
static int __float_as_int(float value) { int bits; std::memcpy(&bits, &value, 4); return bits; }
static void atomicMax(int* most, int value) { if (value > *most) *most = value; }
"""
LAUNCH = """
extern "C" void launch(
    int x, int y, int z, int threads, float* values, const float* theirs, Place first, int a_first, int a_last,
    int b_first, int c_first, int kind, float draw, const int* after, const int* turned, const int* lead, float* most
) {
    blockDim.x = threads;
    for (blockIdx.z = 0; blockIdx.z < z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < x; blockIdx.x++)
                for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
                    sweep(
                        values, theirs, first, a_first, a_last, b_first, c_first, kind, draw, after, turned, lead, most
                    );
}
"""
KINDS = {np.dtype(np.int32): ctypes.c_int, np.dtype(np.int64): ctypes.c_longlong, np.dtype(np.float32): ctypes.c_float}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gpu")


@pytest.fixture(scope="module")
def gpu(folder: Path) -> Iterator[Any]:
    """The module, with NumPy as its CuPy."""

    class RawModule:
        def __init__(self, code: str) -> None:
            source, library = folder / "sweep.cpp", folder / "sweep.so"
            source.write_text(HEAD + code + LAUNCH)
            subprocess.run([str(COMPILER), "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
            self.launch = ctypes.CDLL(str(library)).launch

        def get_function(self, name: str) -> Any:
            assert name == "sweep"

            def kernel(grid: tuple[int, ...], block: tuple[int], arguments: tuple[Any, ...]) -> None:
                given = [
                    each.ctypes.data_as(ctypes.c_void_p) if isinstance(each, np.ndarray) else KINDS[each.dtype](each)
                    for each in arguments
                ]
                self.launch(*grid, *block, *given)

            return kernel

    instead = ModuleType("cupy")
    vars(instead).update(full=np.full, zeros=np.zeros, asarray=np.asarray, asnumpy=np.asarray, RawModule=RawModule)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", instead)
        yield importlib.import_module("dicehall.solve.knucklebones.gpu")
    del sys.modules["dicehall.solve.knucklebones.gpu"]


@pytest.mark.parametrize("objective", [WIN_DRAW_HALF, WIN_ALONE])
def test_one_column_is_worth_the_same_in_every_position(objective: str, gpu: Any, folder: Path) -> None:
    work, other = gpu.GpuSweeps(1, objective), solve(1, objective)
    about = solve_into(folder / f"{objective}.bin", work, lambda _: None)
    assert 0 <= about["change"] <= 3e-7 * ONE
    for table, values in enumerate(other.tables):
        wrong_by = np.abs(work.get(table, 0, len(values)).astype(int) - values)
        assert wrong_by.max() <= 1 + LONGEST[1] * 0.5


@pytest.mark.parametrize("objective", [WIN_DRAW_HALF, WIN_ALONE])
def test_a_sweep_of_two_columns_leaves_the_solved_values_as_they_are(objective: str, gpu: Any) -> None:
    work, other = gpu.GpuSweeps(2, objective), solve(2, objective)
    work.certain()
    for table, values in enumerate(other.tables):
        assert (np.abs(work.get(table, 0, len(values)).astype(int) - values) <= 1).sum() > 1000, "some were certain"
        work.put(table, 0, values)
    work.certain()
    assert work.sweep() < 2, "one half, and what has changed before in the same sweep"
    for table, values in enumerate(other.tables):
        assert np.abs(work.get(table, 0, len(values)).astype(int) - values).max() <= 2
