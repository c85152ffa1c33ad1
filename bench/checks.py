"""What the benchmarks share: checks with a measured value and a limit, and how a report is given and ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
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


def say(text: str) -> None:
    """Progress, beside the report."""
    print(text, file=sys.stderr, flush=True)
