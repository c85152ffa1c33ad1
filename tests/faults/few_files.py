"""`dicehall` where a process may have few files open: `python -m tests.faults.few_files`, with the same arguments."""

from __future__ import annotations

import resource
import sys

from dicehall.cli import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (260, 260))
    sys.exit(main())
