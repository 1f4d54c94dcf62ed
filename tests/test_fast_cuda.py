"""The kernel's source compiles for CUDA as it stands, and a card gives the CPU's totals."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from popejoan.fast import cuda
from popejoan.fast.plan import Plan
from popejoan.fast.policy import Policy
from popejoan.fast.simulate import run
from popejoan.rules import Lead, Rules


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "linear"])
def text(request: pytest.FixtureRequest) -> str:
    pytest.importorskip("numba_cuda", reason="the extra cuda is not installed")
    from popejoan.fast.cuda import ptx

    try:
        return ptx(linear=request.param)
    except Exception as error:
        if re.search("nvvm|nvrtc|libdevice", str(error), re.IGNORECASE):
            pytest.skip(f"no CUDA toolchain: {error}")
        raise


@pytest.mark.slow
def test_the_kernel_compiles_to_ptx_without_a_float(text: str) -> None:
    assert ".entry" in text
    assert not re.findall(r"\.f64|\.f32", text)


@pytest.mark.slow
def test_the_kernel_needs_no_spill(text: str, tmp_path: Path) -> None:
    # The one that came with the compiler; another may be too old for what it writes.
    ptxas = _ptxas_of_a_package() or shutil.which("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed, which counts registers and spills")
    source = tmp_path / "kernel.ptx"
    source.write_text(text)
    told = subprocess.run(
        [ptxas, "-v", "-arch=sm_90", str(source), "-o", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    ).stderr
    if old := re.search(r"Unsupported \.version .*", told):
        pytest.skip(f"{ptxas} is older than the compiler: {old[0]}; install nvidia-cuda-nvcc")
    assert "0 bytes spill stores, 0 bytes spill loads" in told


def _ptxas_of_a_package() -> str | None:
    """The program of the package nvidia-cuda-nvcc, where that is installed."""
    places = [Path(place) / "nvidia" for place in sys.path if place]
    return next((str(found) for place in places for found in place.glob("*/bin/ptxas")), None)


def test_without_numba_cuda_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"pip install 'popejoan\[cuda\]'"):
        run(Plan(), device="cuda")


def test_without_a_card_it_says_so_and_nothing_of_installing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cuda, "find_spec", lambda _: object())
    monkeypatch.setattr(
        cuda, "import_module", lambda _: SimpleNamespace(is_available=lambda: False)
    )
    with pytest.raises(RuntimeError, match="no CUDA card is found") as told:
        run(Plan(), device="cuda")
    assert "pip" not in str(told.value)


def test_a_card_that_fails_is_told_with_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ArithmeticError("out of threads")

    monkeypatch.setattr(cuda, "find_spec", lambda _: object())
    monkeypatch.setattr(cuda, "import_module", lambda _: SimpleNamespace(is_available=lambda: True))
    monkeypatch.setattr(cuda, "_launches", fail)
    with pytest.raises(RuntimeError, match="card failed: ArithmeticError: out of threads"):
        run(Plan(), device="cuda")


def test_the_columns_of_many_threads_are_summed_beyond_64_bits() -> None:
    totals = np.array([[2**62, 2**62 + 1, 2**62 + 2], [-1, -5, 7], [2**33, 0, 3]], dtype=np.int64)
    assert cuda.sums(totals).tolist() == [3 * 2**62 + 3, 1, 2**33 + 3]


@pytest.mark.slow
@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.name.lower())
def test_a_card_gives_the_totals_of_the_cpu(policy: Policy) -> None:
    pytest.importorskip("numba_cuda", reason="the extra cuda is not installed")
    if not pytest.importorskip("numba.cuda").is_available():
        pytest.skip("there is no CUDA card")
    for rules, players in ((Rules(lead=Lead.ANY), 4), (Rules.PARLETT, 7), (Rules.PEEL, 5)):
        plan = Plan(rules, players, policy, None, 6, 20_000)
        assert run(plan, device="cuda").totals == run(plan).totals
