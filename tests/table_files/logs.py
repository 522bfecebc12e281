"""Files that programs write: counters with a decimal point, logs of choices, units in headers, unnamed totals."""

from __future__ import annotations

from table_files.files import Read, Refused

A, B = [0.5, -0.25, 1.0, 0.75, -0.5, 0.1], [0.01, 0.02, -0.03, 0.04, 0.05, -0.06]
AB = {"a": A, "b": B}


def table(head: str, first: list[str] | None = None, separator: str = ",") -> str:
    """Two arms, behind a column of that kind."""
    rows = [[f"{x}", f"{y}"] for x, y in zip(A, B, strict=True)]
    if first is not None:
        rows = [[one, *row] for one, row in zip(first, rows, strict=True)]
    return "\n".join([head, *(separator.join(row) for row in rows)]) + "\n"


READ_LOGS = {
    "days with a decimal point": Read(table("day,a,b", [f"{k}.0" for k in range(1, 7)]), AB, ("'day' contains times",)),
    "years with a decimal point": Read(
        table("year,a,b", [f"{k}.0" for k in range(2010, 2016)]), AB, ("'year' contains",)
    ),
    "an index with a decimal point": Read(table("index,a,b", [f"{k}.0" for k in range(6)]), AB, ("counts the rows",)),
    "no name, and a decimal point": Read(table(",a,b", [f"{k}.0" for k in range(6)]), AB, ("counts the rows",)),
    "tenths of a second": Read(table("t,a,b", [f"0.{k}" for k in range(6)]), AB, ("'t' rises in equal steps",)),
    "arms by number": Read(
        "step,arm,reward\n0,0,0.5\n1,1,0.25\n2,0,0.1\n3,1,0.2\n", {"0": [0.5, 0.1], "1": [0.25, 0.2]}, ("'arm' names",)
    ),
    "actions by number": Read(
        "action,reward\n2,0.5\n7,0.25\n2,0.1\n7,0.2\n",
        {"2": [0.5, 0.1], "7": [0.25, 0.2]},
        ("'action' names the arms",),
    ),
    "arms by number, and an index": Read(
        ",arm,reward\n0,0,0.5\n1,1,0.25\n2,0,0.1\n3,1,0.2\n", {"0": [0.5, 0.1], "1": [0.25, 0.2]}, ("'arm' names",)
    ),
    "truth values": Read(
        "a,b\nTRUE,0.5\nFALSE,0.25\n", {"a": [1.0, 0.0], "b": [0.5, 0.25]}, ("true is 1 and false is 0",)
    ),
    "dashes for minus signs": Read("a,b\n\u20130.5,0.1\n0.25,\u22120.2\n", {"a": [-0.5, 0.25], "b": [0.1, -0.2]}),
    "basis points": Read(
        "a (bp),b (bps)\n5,1\n7,-2\n", {"a (bp)": [5, 7], "b (bps)": [1, -2]}, ("unit: basis points",)
    ),
}
REFUSED_LOGS = {
    "propensities beside": Refused(
        "arm,reward,propensity\n0,0.5,0.5\n1,0.25,0.5\n0,0.1,0.5\n", "other columns beside it"
    ),
    "contexts beside": Refused(
        "t,action,reward,age\n0,0,0.5,31\n1,1,0.2,25\n2,0,0.1,40\n", "columns beside it ('age')"
    ),
    "statistics": Refused(",a,b\ncount,30,30\nmean,0.1,0.2\nstd,0.5,0.4\n", "its rows are statistics"),
    "correlations": Refused(",a,b\na,1,0.5\nb,0.5,1\n", "a number for each pair of arms"),
    "a time under any name": Refused(table("elapsed,a,b", [f"{k / 2}" for k in range(6)]), "'elapsed' rises in equal"),
    "numbers of arms or an arm": Refused(
        "arm,value\n0,0.5\n1,0.25\n0,0.1\n", "column 'arm' may number the arms or be one"
    ),
    "numbers of arms, and what is called like an index": Refused(
        "arm,x\n1,0.3\n2,0.4\n1,0.2\n", "column 'arm' may number the arms or be one"
    ),
    "basis points and something else": Refused(
        "a (bps),b\n5,0.1\n7,0.2\n", "names a unit, basis points, that 'b' does"
    ),
    "two currencies in the header": Refused(
        "a (EUR),b (USD)\n5,1\n7,2\n", "names a unit, EUR, that 'b (USD)' does not"
    ),
    "cents and dollars": Refused("a (cents),b ($)\n5,1\n7,2\n", "names a unit, cents, that"),
    "volumes": Refused("date,a,Volume\n2020-01-01,0.1,1000\n2020-01-02,0.2,1500\n", "'Volume' is a number of trades"),
    "a sum without a name": Refused(
        table("a,b") + f"{sum(A):.4f},{sum(B):.4f}\n", "its last row is the sum of all others"
    ),
    "means without a name": Refused(table("a,b") + f"{sum(A) / 6},{sum(B) / 6}\n", "its last row is the mean of all"),
}
