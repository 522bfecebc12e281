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
    "prices that were asked": Read(
        "arm,reward\n9.99,1\n19.99,0\n9.99,0\n", {"9.99": [1, 0], "19.99": [0]}, ("'arm' names the arms",)
    ),
    "discounts that were given": Read("action;payoff\n5 %;1,5\n10 %;0\n5 %;2,5\n", {"5 %": [1.5, 2.5], "10 %": [0]}),
    "arms by number with a decimal point": Read(
        "arm,reward\n1.0,1\n2.0,0\n1.0,0\n", {"1": [1, 0], "2": [0]}, ("'arm' names the arms",)
    ),
    "whether it was shown": Read("arm,reward\nTrue,1\nFalse,0\nTrue,0\n", {"True": [1, 0], "False": [0]}),
    "one arm only": Read("t,arm,reward\n1,1,0.5\n2,1,0.25\n", {"1": [0.5, 0.25]}, ("'arm' names the arms",)),
    "each arm once": Read("arm,reward\n1,0.5\n2,0.25\n", {"1": [0.5], "2": [0.25]}, ("'arm' names the arms",)),
    "arms by number, the last one first": Read(
        "arm,reward\n10,1\n2,0\n10,0\n", {"2": [0], "10": [1, 0]}, ("Read 2 arms (2, 10)",)
    ),
    "days beside percent": Read(
        "day,a\n1,50%\n2,10%\n3,25%\n", {"a": [0.5, 0.1, 0.25]}, ("fractions", "'day' contains")
    ),
    "an index beside percent": Read(",a\n0,50%\n1,10%\n2,25%\n", {"a": [0.5, 0.1, 0.25]}, ("fractions", "counts the")),
    "an index beside amounts": Read(
        "Nr;a;b\n1;0,5 EUR;0,25 EUR\n2;0,1 EUR;0,2 EUR\n", {"a": [0.5, 0.1], "b": [0.25, 0.2]}, ("in EUR",)
    ),
    "steps beside a unit": Read("step,a (EUR)\n1,0.5\n2,0.1\n", {"a (EUR)": [0.5, 0.1]}, ("unit: EUR",)),
    "a month beside percent": Read(
        "year,month,a\n2020,11,50%\n2020,12,10%\n2021,1,25%\n",
        {"a": [0.5, 0.1, 0.25]},
        ("fractions", "'month' contains"),
    ),
    "choices": Read("choice,payoff\nleft,1\nright,0\nleft,0\n", {"left": [1, 0], "right": [0]}),
    "pandas, an index twice": Read(
        "Unnamed: 0.1,Unnamed: 0,a\n0,0,0.5\n1,1,0.25\n", {"a": [0.5, 0.25]}, ("Column 2 has no name and counts",)
    ),
    "R, an index": Read("...1,a,b\n1,0.5,0.25\n2,0.1,0.2\n", {"a": [0.5, 0.1], "b": [0.25, 0.2]}, ("counts the rows",)),
    "thousandths of seconds": Read("ts,a\n1577836800000,0.5\n1577923200000,0.2\n", {"a": [0.5, 0.2]}, ("times",)),
    "funds that are called after a share": Read(
        "5% fund,other\n0.5,0.25\n0.1,0.2\n", {"5% fund": [0.5, 0.1], "other": [0.25, 0.2]}, ("no percent signs",)
    ),
    "a sign in the first row": Read("a,b\n$0.5,$0.25\n0.1,0\n", {"a": [0.5, 0.1], "b": [0.25, 0]}, ("in $",)),
}
REFUSED_LOGS = {
    "a reward of nobody": Refused("arm,reward\na,1\n,0\na,1\n", "'arm' has a gap: every reward needs its arm"),
    "sums by arm": Refused("arm,clicks,views\n0,3,10\n1,5,20\n", "column 'arm' may number the arms or be one"),
    "a price and a return": Refused(
        "date,price,return\n2020-01-01,100.5,0.1\n2020-01-02,99.5,-0.01\n",
        "'return' may hold the rewards of several arms and stands beside column 'price'",
    ),
    "a row per arm": Refused(",0,1,2\nbond,0.1,0.2,0.3\nstock,0.4,0.5,0.6\n", "it needs a column, not a row, per arm"),
    "a row per arm from R": Refused('"","V1","V2"\n"bond",0.1,0.2\n"stock",0.4,0.5\n', "a column, not a row, per arm"),
    "a decimal comma or two columns": Refused("0,5\n0,7\n-1,25\n", "'0,5' may be a number with a decimal comma or two"),
    "an unnamed column beside percent": Refused("a,,b\n5%,7,1%\n1%,3,2%\n", "column 'column 2 (no header)' has none"),
    "an unnamed column": Refused("a,Unnamed: 1,b\n0.5,7,0.25\n0.1,8,0.2\n", "column 2 has no header"),
    "dollars and nothing": Refused("a,b\n$0.5,0.25\n$0.1,0.2\n", "amounts in $ and column 'b' names no currency"),
    "a bank's currencies": Refused(
        "Buchungstag;Betrag;Waehrung\n31.12.2020;0,5;EUR\n01.01.2021;0,25;EUR\n", "column 'Waehrung' must be numbers"
    ),
    "German prices": Refused(
        "Datum;Erster;Hoch;Tief;Schlusskurs\n31.12.2020;1,5;2;1;1,25\n", "(hoch, tief, schlusskurs)"
    ),
    "Polish prices": Refused("Data,Najwyzszy,Najnizszy,Zamkniecie\n2020-01-02,2,1,1.5\n", "prices of one fund"),
    "quotes": Refused("date,bid,ask\n2020-01-02,1.1,1.2\n2020-01-03,1.2,1.3\n", "prices of one fund (bid, ask)"),
    "statistics below": Refused(
        "date,a\n2020-01-01,0.5\n2020-01-02,0.1\nMean,0.3\nStd,0.2\n", "some of its rows are statistics ('Mean', 'Std')"
    ),
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
