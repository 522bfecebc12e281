"""What drift and delays cost each policy, and what forgetting gains and costs: docs/studies/drift.md.

    python -m studies.drift

from the root of the project simulates it and writes the page; none of its numbers is typed in.

| `problems` | random problems whose arms change, walk or stay |
| `measuring` | policies on such problems as one job, and ratios of regrets with intervals over problems |
| `tables` | what is compared with what |
| `page` | the tables and sentences as Markdown |
"""
