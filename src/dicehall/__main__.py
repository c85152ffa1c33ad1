"""`python -m dicehall`."""

import sys

from dicehall.cli import main

sys.exit(main())
