"""More files as people have them: exports of banks, data vendors and spreadsheets in many countries."""

from __future__ import annotations

from table_files.files import BOTH, DATED, Read, Refused

AB = {"a": [0.5, 0.1], "b": [0.25, 0.2]}
BODY = "2020-01-02,0.5,0.25\n2020-01-03,0.1,0.2\n"
PLAIN = "0.5,0.25\n0.1,0.2\n"
FACTORS = """This file was created by a program using the 202005 database.
The 1-month bill return is from somebody and Associates, Inc.

,Mkt-RF,SMB
192607,    2.96,   -2.30
192608,  -99.99,   -1.40
192609,    0.36,   -1.32

{rest}Copyright 2020
"""
ANNUAL = " Annual Factors: January-December\n,Mkt-RF,SMB\n1927,   29.47,   -2.46\n1928,   35.39,    4.20\n\n"

READ_TOO = {
    "a library of factors": Read(
        FACTORS.format(rest=""),
        {"Mkt-RF": [2.96, 0.36], "SMB": [-2.3, -1.4, -1.32]},
        ("from 192607 to 192609", "2 lines above the table", "1 line below", "-99.99, a code for missing ones"),
    ),
    "a title": Read("Fund returns\ndate,a,b\n" + BODY, AB, ("1 line above the table left out, beginning with 'Fund",)),
    "a title and empty cells": Read("Fund returns;;\n;;\nDatum;a;b\n01.02.2020;0,5;0,25\n13.02.2020;0,1;0,2\n", AB),
    "what was asked for": Read(
        "Start Date,01/02/2020\nEnd Date,01/31/2020\n\nDate,a,b\n" + BODY, AB, ("2 lines above",)
    ),
    "where it is from": Read("date,a,b\n" + BODY + "\nSource: Bank\n", AB, ("below the table left out",)),
    "where it is from, with separators": Read("date,a,b\n" + BODY + "Source: Bank,,\n", AB, ("below the table",)),
    "a comment of another program": Read("// generated\na,b\n" + PLAIN, AB, ("'// generated'",)),
    "months in digits": Read("date,a,b\n199912,0.5,0.25\n200001,0.1,0.2\n", AB, ("from 199912 to 200001",)),
    "years with a fraction": Read("date,a,b\n1926.583,0.5,0.25\n1926.667,0.1,0.2\n", AB, ("contains times",)),
    "quarters, short": Read("Quarter,a,b\nQ1-20,0.5,0.25\nQ2-20,0.1,0.2\n", AB, DATED),
    "quarters of analysts": Read("Quarter,a,b\n1Q20,0.5,0.25\n2Q20,0.1,0.2\n", AB, DATED),
    "Chinese dates": Read("日期,a,b\n2020年1月2日,0.5,0.25\n2020年1月3日,0.1,0.2\n", AB, DATED),
    "dates with low lines": Read("date,a,b\n2020_01_02,0.5,0.25\n2020_01_03,0.1,0.2\n", AB, DATED),
    "zones by name": Read(
        "date,a,b\n2020-01-02 16:00 Europe/Berlin,0.5,0.25\n2020-01-03 16:00 Europe/Berlin,0.1,0.2\n", AB, DATED
    ),
    "a date and a time of the day": Read(
        "date,time,a\n2020-01-02,09:30,0.5\n2020-01-02,09:31,0.1\n2020-01-03,09:30,0.25\n2020-01-03,09:31,0.5\n",
        {"a": [0.5, 0.1, 0.25, 0.5]},
    ),
    "a date that comes twice": Read(
        "date,a\n2020-01-02,0.5\n2020-01-02,0.1\n2020-01-03,0.25\n",
        {"a": [0.5, 0.1, 0.25]},
        ("Some dates appear more than once, such as 2020-01-02.",),
    ),
    "a row per date and asset": Read(
        "date,asset,return\n2020-01-02,a,0.5\n2020-01-02,b,0.25\n2020-01-03,a,0.1\n2020-01-03,b,0.2\n",
        AB,
        ("column 'asset' names the arms, 'return' holds the rewards", "from 2020-01-02 to 2020-01-03"),
    ),
    "a row per visitor": Read(
        "time,variant,sold\n2020-01-01 10:00,old,1\n2020-01-01 10:01,new,0\n2020-01-01 10:07,old,0\n",
        {"old": [1.0, 0.0], "new": [0.0]},
        ("in the order of the file",),
    ),
    "thousands, Indian": Read(
        'a,b\n"12,34,567.50","1,00,000"\n"-5,67,890.25","2,345.1"\n',
        {"a": [1234567.5, -567890.25], "b": [100000.0, 2345.1]},
        ("thousands",),
    ),
    "thousands, narrow spaces": Read(
        "a;b\n1\u202f234,50;2\u00a0000,25\n-1 234,50;1,0\n", {"a": [1234.5, -1234.5], "b": [2000.25, 1]}
    ),
    "minus signs behind": Read("a;b\n0,50-;0,25\n0,10;0,20-\n", {"a": [-0.5, 0.1], "b": [0.25, -0.2]}),
    "brackets within dollars": Read(
        "a,b\n$0.50,$(0.25)\n($0.10),$0.20\n", {"a": [0.5, -0.1], "b": [-0.25, 0.2]}, ("$",)
    ),
    "brackets before percent": Read("a,b\n50%,(25)%\n(10%),20%\n", {"a": [0.5, -0.1], "b": [-0.25, 0.2]}),
    "rupees": Read("a,b\n₹0.50,₹0.25\n₹0.10,₹0.20\n", AB, ("₹",)),
    "Polish amounts": Read("a;b\n0,50 zł;0,25 zł\n0,10 zł;0,20 zł\n", AB, ("zł",)),
    "dollars of one country": Read("a,b\nUS$0.50,US$0.25\nUS$0.10,US$0.20\n", AB, ("US$",)),
    "numbers as formulas": Read('a,b\n="0.5",="0.25"\n="0.1",="0.2"\n', AB),
    "a wide percent sign": Read("a,b\n50\uff05,25\uff05\n10\uff05,20\uff05\n", AB, ("fractions",)),
    "lines in quotation marks": Read(
        '"date,a,b"\n"2020-01-02,0.5,0.25"\n"2020-01-03,0.1,0.2"\n', AB, ("around whole lines",)
    ),
    "one arm in quotation marks": Read('"a,b"\n"0,5"\n"0,7"\n', {"a,b": [0.5, 0.7]}),
    "UTF-16 without a mark": Read("a\tb\r\n0.5\t0.25\r\n0.1\t0.2\r\n", AB, ("UTF-16",), "utf-16-le"),
    "UTF-16 the other way round": Read("a\tb\r\n0.5\t0.25\r\n0.1\t0.2\r\n", AB, ("UTF-16",), "utf-16-be"),
    "the end of a DOS file": Read("a,b\r\n0.5,0.25\r\n0.1,0.2\r\n\x1a", AB),
    "sep= and a tab": Read("sep=\t\na\tb\n0,5\t0,25\n0,1\t0,2\n", AB),
    "old Macintosh": Read("a,b\r0.5,0.25\r0.1,0.2\r", AB),
    "an invisible space": Read("\u200bdate,a,b\n" + BODY, AB, ("Column 'date' contains dates",)),
    "an asset without data": Read(
        "date,a,c,b\n2020-01-02,0.5,,0.25\n2020-01-03,0.1,,0.2\n", AB, ("'c' is empty and not",)
    ),
    "gaps of a terminal": Read("a,b\n#N/A N/A,0.25\n0.5,#N/A Invalid Security\n0.1,0.2\n", AB),
    "gaps of central banks": Read("a,b\nND,0.25\n0.5,n.d.\n0.1,0.2\n?,.\n", AB),
    "funds that are called like months": Read(
        "a,mar,Momentum,Dividends\n0.5,0.1,0.2,0.3\n", {"a": [0.5], "mar": [0.1], "Momentum": [0.2], "Dividends": [0.3]}
    ),
    "a fund that is called stock": Read("stock,bond\n0.5,0.25\n0.5,0.5\n", {"stock": [0.5, 0.5], "bond": [0.25, 0.5]}),
    "losses that are large anyway": Read("a,b\n-999,1\n1850,2.5\n", {"a": [-999, 1850], "b": [1.0, 2.5]}),
    "another ending": Read("bond stock\n0.5 -1.25\n1.5 2\n", BOTH),
}

REFUSED_TOO = {
    "two tables": Refused(FACTORS.format(rest=ANNUAL), "it contains two tables, the second from line 9 on"),
    "the header again": Refused("date,a,b\n" + BODY + "date,a,b\n" + BODY, "its header is repeated in line 4"),
    "a loss or a gap": Refused(
        "a,b\n12.5,1.5\n-99.99,2.5\n-31.5,0.5\n", "-99.99, which may be a code for a missing entry"
    ),
    "years as heads": Refused("2019,2020\n0.5,0.25\n0.1,0.2\n", "may be a header or rewards"),
    "a year in a row": Refused(
        "Year,Jan,Feb,Mar\n2019,0.1,0.2,0.3\n2020,0.1,0.2,0.3\n", "its columns are times ('Jan', 'Feb')"
    ),
    "dates side by side": Refused("fund,2020-01-01,2020-01-02\nA,0.5,0.25\nB,0.1,0.2\n", "its columns are times"),
    "a column of totals": Refused("a,b,Total\n0.1,0.2,0.3\n0.3,0.25,0.55\n", "column 'Total' is the sum of the others"),
    "dates that are not": Refused("date,a\n0.5,0.25\n0.3,0.1\n", "column 'date' may contain times or be an arm"),
    "two rewards at once": Refused(
        "date,asset,r\n2020-01-02,a,0.5\n2020-01-02,a,0.25\n2020-01-03,b,0.1\n", "'a' has two rewards at '2020-01-02'"
    ),
    "names of anything": Refused(
        "date,regime,r\n2020-01-01,bull,0.2\n2020-01-02,bear,0.3\n2020-01-03,bull,0.3\n", "'bull' is neither"
    ),
    "a line of units": Refused("date,a,b\n,%,%\n2020-01-01,0.1,0.2\n2020-01-02,0.3,0.4\n", "'%' is neither"),
    "a pointer to a file": Refused("version https://example.org/v1\noid sha256:abc\nsize 1234\n", "is neither"),
    "too large a number": Refused("a,b\n1e400,0.5\n0.5,1.5\n", "infinite or far too large"),
    "closed": Refused("a,b\n0.1,closed\n0.2,0.3\n", "'closed' is neither"),
    "debit and credit": Refused("a,b\n0.50 CR,1.25 DR\n0.25 CR,1.00 DR\n", "'0.50 CR' is neither"),
    "two signs": Refused("a,b\n-(0.5),0.25\n0.1,0.2\n", "'-(0.5)' is neither"),
    "two percent signs": Refused("a,b\n(0.5%)%,0.25%\n0.1%,0.2%\n", "'(0.5%)%' is neither"),
}
