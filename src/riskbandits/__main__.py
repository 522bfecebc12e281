"""`python -m riskbandits` is the command line."""

from riskbandits.cli import main

main()
