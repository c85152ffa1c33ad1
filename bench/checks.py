"""What the benchmarks share: checks with a measured value and a limit, and how a report is given and ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Check:
    name: str
    measured: float
    limit: str
    passed: bool
    counts: bool = True  # towards the exit code; what does not is there to be read


def finish(report: Any, show: Callable[[Any], None], as_json: bool) -> int:
    """Give a report, a dataclass with `checks()`, as JSON or as text with its checks last. Returns how it ends: 0, or 1
    when a check fails."""
    checks: list[Check] = report.checks()
    passed = all(check.passed for check in checks if check.counts)
    if as_json:
        told = [asdict(check) for check in checks]
        print(json.dumps({**asdict(report), "checks": told, "passed": passed}, indent=2))
    else:
        show(report)
        width = max(len(check.name) for check in checks) + 2
        print(f"\n{'Checks':<{width + 2}}{'measured':>10}{'limit':>12}")
        for check in checks:
            print(f"  {check.name:<{width}}{check.measured:>10.2f}{check.limit:>12}  {_verdict(check)}")
    return 0 if passed else 1


def _verdict(check: Check) -> str:
    if not check.counts:
        return "" if check.passed else "under (does not count)"
    return "pass" if check.passed else "FAIL"


def _end(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """What cannot be measured here is said in one line: something is missing, or was asked for that there is not."""
    if isinstance(error, ModuleNotFoundError):
        say(
            f"no measurement: {error.name} is missing here; `make` has an environment with all that the benchmarks need"
        )
    elif kind.__name__ in ("InvalidOption", "NotRunning"):
        say(f"no measurement: {error}")
    else:
        return sys.__excepthook__(kind, error, at)
    os._exit(2)  # a hook cannot choose the exit code otherwise


sys.excepthook = _end


def say(text: str) -> None:
    """Progress, beside the report."""
    print(text, file=sys.stderr, flush=True)
