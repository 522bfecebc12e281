"""Files as people have them: what each must be read as, or the words with which it is refused."""

from __future__ import annotations

from typing import Any, NamedTuple


class Read(NamedTuple):
    """A file that is read: its arms, and words that must be said of it."""

    text: str
    arms: dict[str, list[float]]
    said: tuple[str, ...] = ()
    encoding: str = "utf-8"


class Settled(NamedTuple):
    """A file that is refused in words that name an option, and read with it."""

    text: str
    words: str
    options: dict[str, Any]
    arms: dict[str, list[float]]
    encoding: str = "utf-8"


class Refused(NamedTuple):
    """A file that is refused, in these words."""

    text: str
    words: str
    encoding: str = "utf-8"


BOTH = {"bond": [0.5, 1.5], "stock": [-1.25, 2.0]}
BODY = "0.5,-1.25\n1.5,2.0\n"
DATED = ("contains dates and is not an arm",)

READ = {
    "comma": Read(
        "date,bond,stock\n2020-12-31,0.5,-1.25\n2021-01-04,1.5,2\n", BOTH, ("from 2020-12-31 to 2021-01-04",)
    ),
    "German Excel": Read(
        "Datum;bond;stock\r\n31.12.2020;0,5;-1,25\r\n04.01.2021;1,5;2,00\r\n",
        BOTH,
        ("from 31.12.2020 to 04.01.2021", "decimal comma", *DATED),
    ),
    "German Excel, no UTF-8": Read("Datum;Größe\n31.12.2020;0,5\n4.1.2021;1,5\n", {"Größe": [0.5, 1.5]}, (), "cp1252"),
    "byte order mark": Read("bond;stock\n0,5;-1,25\n1,5;2\n", BOTH, (), "utf-8-sig"),
    "UTF-16 with tabs": Read("bond\tstock\n0,5\t-1,25\n1,5\t2\n", BOTH, (), "utf-16"),
    "sep=": Read("sep=;\nbond;stock\n0,5;-1,25\n1,5;2\n", BOTH),
    "no heads, decimal commas": Read(
        "0,5;1,2\n0,7;1,3\n", {"column 1": [0.5, 0.7], "column 2": [1.2, 1.3]}, ("There is no header",)
    ),
    "decimal commas in quotes": Read('bond,stock\n"0,5","-1,25"\n"1,5","2,0"\n', BOTH),
    "days and months that another date settles": Read(
        "Date,bond,stock\n03/04/2024,0.5,-1.25\n03/14/2024,1.5,2\n", BOTH, ("from 03/04/2024",)
    ),
    "days and months that another column settles": Read(
        "Date,ISO,bond,stock\n03/04/2024,2024-04-03,0.5,-1.25\n04/04/2024,2024-04-04,1.5,2\n",
        BOTH,
        ("from 2024-04-03",),
    ),
    "days that are months": Read("Date,bond,stock\n01/01/2024,0.5,-1.25\n02/02/2024,1.5,2\n", BOTH, ("from 01/01",)),
    "American dates": Read("Date,bond,stock\n12/31/2020,0.5,-1.25\n01/04/2021,1.5,2\n", BOTH, ("from 12/31/2020",)),
    "long American dates": Read('Date,bond\n"Dec 31, 2020",0.5\n"Jan 4, 2021",0.7\n', {"bond": [0.5, 0.7]}, DATED),
    "German months": Read("Datum;bond\n31. Dez. 2020;0,5\n4. Jan. 2021;0,7\n", {"bond": [0.5, 0.7]}, DATED),
    "times": Read("t,bond\n2020-01-01T10:00:00Z,0.5\n2020-01-01T11:00:00Z,0.7\n", {"bond": [0.5, 0.7]}, DATED),
    "months": Read("Month,bond\nJan 2020,0.5\nFeb 2020,0.7\n", {"bond": [0.5, 0.7]}, DATED),
    "quarters": Read("q,bond\n2020Q1,0.5\n2020Q2,0.7\n", {"bond": [0.5, 0.7]}, DATED),
    "dates without marks": Read("when,bond\n20200101,0.5\n20200102,0.7\n", {"bond": [0.5, 0.7]}, DATED),
    "years": Read("year,bond\n1990,0.5\n1991,0.25\n", {"bond": [0.5, 0.25]}, DATED),
    "year, month, day": Read(
        "year,month,day,bond\n2020,1,1,0.5\n2020,1,2,0.7\n", {"bond": [0.5, 0.7]}, ("contains times",)
    ),
    "latest first": Read("date,bond\n2020-01-03,0.3\n2020-01-02,0.2\n", {"bond": [0.2, 0.3]}, ("sorted by date",)),
    "percent": Read("bond,stock\n50%,-125%\n150 %,200%\n", BOTH, ("fractions",)),
    "percent with decimal commas": Read(
        "bond;stock\n50,0 %;-125,0%\n150,0 %;200,0%\n", BOTH, ("fractions", "decimal comma")
    ),
    "percent in the heads": Read(
        "bond (%),stock (%)\n0.5,-1.25\n1.5,2\n",
        {"bond (%)": [0.5, 1.5], "stock (%)": [-1.25, 2.0]},
        ("percent, according to the headers",),
    ),
    "pandas, row numbers": Read(",bond,stock\n0,0.5,-1.25\n1,1.5,2.0\n", BOTH, ("counts the rows",)),
    "pandas, rows that were chosen": Read(",bond,stock\n3,0.5,-1.25\n7,1.5,2.0\n", BOTH, ("counts the rows",)),
    "pandas, dates without a head": Read(",bond,stock\n2020-01-01,0.5,-1.25\n2020-01-02,1.5,2.0\n", BOTH, DATED),
    "pandas, numbered heads": Read(",0,1\n0,0.5,-1.25\n1,1.5,2.0\n", {"0": [0.5, 1.5], "1": [-1.25, 2.0]}),
    "R, write.csv": Read('"","bond","stock"\n"1",0.5,-1.25\n"2",1.5,2.0\n', BOTH, ("is not an arm",)),
    "R, write.csv2": Read('"";"bond";"stock"\n"1";0,5;-1,25\n"2";1,5;2\n', BOTH, ("is not an arm",)),
    "R, write.table": Read('"bond" "stock"\n"1" 0.5 -1.25\n"2" 1.5 2\n', BOTH, ("contains row names",)),
    "R, row names": Read('"bond","stock"\n"a",0.5,-1.25\n"b",1.5,2\n', BOTH, ("contains row names",)),
    "spaces": Read("# made by a program\nbond stock\n0.5 -1.25\n1.5 2\n", BOTH, ("begins with #",)),
    "a column of days": Read("day,bond,stock\n1,0.5,-1.25\n2,1.5,2\n", BOTH, ("contains times and is not an arm",)),
    "an index by name": Read("bond,index,stock\n0.5,0,-1.25\n1.5,1,2\n", BOTH, ("counts the rows",)),
    "day and night": Read("day,night\n0,1\n1,1\n1,0\n", {"day": [0, 1, 1], "night": [1, 1, 0]}),
    "thousands, German": Read(
        "a;b\n1.234,50;2.345,10\n3.456,00;4,5\n", {"a": [1234.5, 3456.0], "b": [2345.1, 4.5]}, ("thousands",)
    ),
    "thousands, English": Read(
        'a,b\n"1,234.50",2\n3,"4,567.00"\n', {"a": [1234.5, 3.0], "b": [2.0, 4567.0]}, ("thousands",)
    ),
    "thousands, Swiss": Read("a;b\n1'234.50;2.5\n1.5;2.5\n", {"a": [1234.5, 1.5], "b": [2.5, 2.5]}, ("thousands",)),
    "amounts": Read("a;b\n1.234,50 €;3,00 €\n-1,50 €;-3,00 €\n", {"a": [1234.5, -1.5], "b": [3.0, -3.0]}, ("€",)),
    "minus signs": Read("a,b\n\u22120.5,0.7\n(0.1),0.3\n", {"a": [-0.5, -0.1], "b": [0.7, 0.3]}),
    "separators at the ends": Read("bond,stock,\n0.5,-1.25,\n1.5,2,\n", BOTH, ("Empty columns",)),
    "gaps": Read("a,b\n#N/A,0.5\n0.2,\n0.3,#NV\n", {"a": [0.2, 0.3], "b": [0.5]}, ("'a' has 1 of 3", "'b' has 2 of 3")),
    "one arm": Read("bond\n0.5\n0.7\n", {"bond": [0.5, 0.7]}),
    "one arm with decimal commas": Read("bond\n0,5\n0,7\n", {"bond": [0.5, 0.7]}, ("decimal comma",)),
}

REFUSED = {
    "empty": Refused("", "it is empty"),
    "days and months in either order": Refused(
        "Date,bond,stock\n03/04/2024,0.5,-1.25\n04/04/2024,1.5,2\n", "the date 03/04/2024 may have the day or the month"
    ),
    "the same with dashes, short years and times": Refused(
        "Date;bond\n02-02-24 16:00;0,5\n02-03-24 16:00;1,5\n", "the date 02-03-24 16:00 may have the day or the month"
    ),
    "heads alone": Refused("a,b\n", "it has a header and no rows"),
    "prose": Refused("hello world\nthis is no table\n", "'this is no table' is neither"),
    "rows longer than a header that names the dates": Refused(
        "date,bond,stock\n2020-12-31,0.1,0.2,0.3\n2021-01-04,0.3,-0.2,0.1\n",
        "one cell more than the header, which begins with 'date'",
    ),
    "totals without a date": Refused(
        "date,bond\n2020-12-31,0.1\n2021-01-04,0.3\n,0.4\n",
        "last row has no entry in column 'date' and may hold totals",
    ),
    "rows that are too long": Refused(
        "bond,stock\n0.1,0.2,0.3\n0.3,-0.2,0.1\n", "line 2 has 3 values where there are 2 columns"
    ),
    "one row that is too long": Refused("bond,stock\n0.1,0.2\n0.3,-0.2,0.1\n", "line 3 has 3 values"),
    "one row that is too short": Refused(
        "a;b;c\n1,5;2,5;3,5\n1,5;2,5\n", "line 3 has 2 values where there are 3 columns"
    ),
    "decimal commas between commas": Refused("d,a,b\n2020-01-01,0,5,0,6\n2020-01-02,0,7,0,8\n", "line 2 has 5 values"),
    "both decimal marks": Refused("a;b\n0,5;0.7\n1,5;1.7\n", "'0.7' has a decimal point and '0,5' a decimal comma"),
    "thousands or decimals, point": Refused("a;b\n1.234;2.345\n3.456;4.567\n", "'1.234' may have a decimal mark"),
    "thousands or decimals, comma": Refused('a,b\n"1,234","2,345"\n', "'1,234' may have a decimal mark"),
    "percent here and not there": Refused(
        "a,b\n0.1%,0.2\n0.3%,-0.2\n", "column 'a' has percent signs and column 'b' has none"
    ),
    "percent now and then": Refused("a,b\n0.1%,0.2%\n0.3,-0.2%\n", "with and without a percent sign, such as '0.3'"),
    "percent in one head": Refused("a (%),b\n0.1,0.2\n", "says percent and 'b' does not"),
    "heads or rewards": Refused("0,1\n0,1\n1,1\n", "may be a header or rewards"),
    "an index by another name": Refused(
        "k,a\n1,0.2\n2,0.2\n3,0.5\n", "column 'k' counts the rows and may not be an arm"
    ),
    "a column without a head": Refused("a,,b\n1.5,2.5,3.5\n", "column 2 has no header"),
    "one name twice": Refused("a,a\n1,2\n", "the column 'a' appears twice"),
    "prices of one fund": Refused("Date,Open,High,Low,Close,Volume\n2020-01-02,1,2,3,4,5\n", "prices of one fund"),
    "a row per date and fund": Refused(
        "date,fund,r\n2020-01-01,1,0.2\n2020-01-01,2,0.3\n2020-01-02,1,0.2\n2020-01-02,2,0.3\n",
        "every date appears more than once",
    ),
    "words": Refused("date,ticker,r\n2020-01-01,SPY,0.2\n2020-01-02,SPY,0.3\n", "column 'ticker' must be numbers"),
    "a sum in the last row": Refused("date,a\n2020-01-01,0.5\n2020-01-02,0.7\nTotal,1.2\n", "see 'Total'"),
    "dates in two forms": Refused("date,a\n2020-01-03,0.3\n31.12.2020,0.2\n", "dates in one form"),
    "an error of Excel's": Refused("a,b\n#DIV/0!,2\n1,3\n", "'#DIV/0!' is neither"),
    "infinity": Refused("a,b\ninf,2\n1,3\n", "'inf' is neither"),
    "dates as Excel counts them": Refused(
        "when,a\n44000,0.5\n44003,0.2\n", "may be dates written as numbers, or an arm"
    ),
    "an open quotation mark": Refused('a,b\n"1,2\n3,4\n', "a quotation mark is not closed"),
    "numbers of customers": Refused(
        "date,customer_id,r\n2020-01-01,17,0.2\n2020-01-02,4,0.3\n", "may be a running number"
    ),
    "two currencies": Refused("a;b\n1,5 €;2,5 $\n", "different currencies"),
    "days that are no index": Refused("day,a\n3,0.5\n70,0.2\n4,0.1\n", "may contain times or be an arm"),
    "dates alone": Refused("date\n2020-01-01\n2020-01-02\n", "a column of rewards per arm"),
    "a workbook": Refused("\xd0\xcf\x11\xe0rest", "it is an Excel workbook", "latin-1"),
    "no text": Refused("a,b\n1\0,2\n", "it is not text"),
}
