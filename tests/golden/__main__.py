"""`python -m tests.golden` writes the digests of all cases, and says which are new, gone or different."""

from __future__ import annotations

from .cases import CASES, digest_of
from .digest import FILE, kept, write

before = kept()["cases"] if FILE.exists() else {}
after = {}
for name, case in CASES.items():
    after[name] = {"digest": digest_of(name), **({"equal_rewards": True} if case.equal_rewards else {})}
    if name not in before or before[name]["digest"] != after[name]["digest"]:
        print("different:" if name in before else "new:", name, flush=True)
for name in before:
    if name not in after:
        print("gone:", name)
write(after)
print(f"{len(after)} digests in {FILE}")
