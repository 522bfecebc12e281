"""Files that leave something open: refused in words that name an option, and read with it."""

from __future__ import annotations

import itertools

from table_files.exports import AB
from table_files.files import BOTH, Settled

PRICES = [100.0 + k + 0.5 * (-1) ** k for k in range(30)]
RETURNS = [after / before - 1.0 for before, after in itertools.pairwise(PRICES)]
PRICE_FILE = "day,a\n" + "".join(f"{k + 1},{price}\n" for k, price in enumerate(PRICES))
YFINANCE = """Price,Close,Close,Volume,Volume
Ticker,SPY,TLT,SPY,TLT
Date,,,,
2020-01-02,100.0,50.0,7,8
2020-01-03,110.0,45.0,7,8
2020-01-06,121.0,54.0,7,8
"""
BY_TICKER = """Ticker,SPY,SPY,TLT,TLT
Price,Close,Adj Close,Close,Adj Close
Date,,,,
2020-01-02,1,100.0,1,50.0
2020-01-03,2,110.0,1,45.0
2020-01-06,3,121.0,1,54.0
"""
FUNDS = {"SPY": [0.1, 0.1], "TLT": [-0.1, 0.2]}
ARMS, DATES, DECIMAL = "arms= (--columns)", "dates= (--dates)", "decimal= (--decimal)"
HEADER, SEPARATOR = "header= (--header)", "separator= (--separator)"
TO_RETURNS, AS_IS = "prices=True (--prices)", "prices=False (--as-is)"

SETTLED = {
    "French months": Settled("Date;a;b\n2 janv. 2020;0,5;0,25\n4 août 2020;0,1;0,2\n", ARMS, {"arms": ["a", "b"]}, AB),
    "Spanish months": Settled("Fecha;a;b\n02-ene-2020;0,5;0,25\n03-ago-2020;0,1;0,2\n", ARMS, {"arms": ["a", "b"]}, AB),
    "Dutch months": Settled("Datum;a;b\n2 mrt 2020;0,5;0,25\n3 mei 2020;0,1;0,2\n", ARMS, {"arms": ["a", "b"]}, AB),
    "Portuguese months": Settled(
        "Data;a;b\n02/fev/2020;0,5;0,25\n03/out/2020;0,1;0,2\n", ARMS, {"arms": ["a", "b"]}, AB
    ),
    "prices": Settled(PRICE_FILE, TO_RETURNS, {"prices": True}, {"a": RETURNS}),
    "prices that are rewards": Settled(PRICE_FILE, AS_IS, {"prices": False}, {"a": PRICES}),
    "yfinance": Settled(YFINANCE, TO_RETURNS, {"prices": True}, FUNDS),
    "yfinance by ticker, adjusted": Settled(BY_TICKER, TO_RETURNS, {"prices": True}, FUNDS),
    "yfinance as it is": Settled(
        "Price,Close,Close\nTicker,SPY,TLT\nDate,,\n2020-01-02,0.1,0.2\n",
        AS_IS,
        {"prices": False},
        {"SPY": [0.1], "TLT": [0.2]},
    ),
    "one price of several": Settled(
        "Date,Open,High,Low,Close\n2020-01-02,1,2,0.5,1\n2020-01-03,1,2,1,1.5\n",
        ARMS,
        {"arms": "Close", "prices": True},
        {"Close": [0.5]},
    ),
    "days first": Settled("Date,bond,stock\n03/04/2024,0.5,-1.25\n04/04/2024,1.5,2\n", DATES, {"dates": "dmy"}, BOTH),
    "months first": Settled("Date,bond,stock\n03/04/2024,1.5,2\n02/05/2024,0.5,-1.25\n", DATES, {"dates": "mdy"}, BOTH),
    "a format of dates": Settled(
        "Date,bond,stock\n03/04/2024,0.5,-1.25\n04/04/2024,1.5,2\n", DATES, {"dates": "%d/%m/%Y"}, BOTH
    ),
    "a format of dates that nobody guesses": Settled(
        "date,a,b\n2020~01~02,0.5,0.25\n2020~01~03,0.1,0.2\n", DATES, {"dates": "%Y~%m~%d"}, AB
    ),
    "dates that do not matter": Settled(
        "date,a,b\n2020-12-31,0.5,0.25\n,0.1,0.2\n", "dates=none (--dates)", {"dates": "none"}, AB
    ),
    "thousands": Settled(
        "a;b\n1.234;2.345\n3.456;4.567\n", DECIMAL, {"decimal": ","}, {"a": [1234, 3456], "b": [2345, 4567]}
    ),
    "decimal points": Settled(
        "a;b\n1.234;2.345\n3.456;4.567\n", DECIMAL, {"decimal": "."}, {"a": [1.234, 3.456], "b": [2.345, 4.567]}
    ),
    "thousands by their mark": Settled(
        'a,b\n"1,234","2,345"\n', DECIMAL, {"thousands": ","}, {"a": [1234], "b": [2345]}
    ),
    "no thousands": Settled('a,b\n"1,234","2,345"\n', DECIMAL, {"thousands": "none"}, {"a": [1.234], "b": [2.345]}),
    "a header": Settled(
        "2019,2020\n0.5,0.25\n0.1,0.2\n", HEADER, {"header": True}, {"2019": [0.5, 0.1], "2020": [0.25, 0.2]}
    ),
    "no header": Settled("0,1\n0,1\n1,1\n", HEADER, {"header": False}, {"column 1": [0, 0, 1], "column 2": [1, 1, 1]}),
    "a decimal comma": Settled(
        "0,5\n0,7\n-1,25\n", SEPARATOR, {"separator": "none", "header": False}, {"column 1": [0.5, 0.7, -1.25]}
    ),
    "two columns": Settled(
        "0,5\n0,7\n-1,25\n",
        SEPARATOR,
        {"separator": ",", "header": False},
        {"column 1": [0, 0, -1], "column 2": [5, 7, 25]},
    ),
    "an odd separator": Settled("a~b\n0.5~0.25\n0.1~0.2\n", ARMS, {"separator": "~"}, AB),
    "a number of visits": Settled("k,a\n1,0.2\n2,0.2\n3,0.5\n", ARMS, {"arms": "a"}, {"a": [0.2, 0.2, 0.5]}),
    "an arm that counts": Settled(
        "k,a\n1,0.2\n2,0.2\n3,0.5\n", ARMS, {"arms": ["k", "a"]}, {"k": [1, 2, 3], "a": [0.2, 0.2, 0.5]}
    ),
    "customers": Settled(
        "date,customer_id,r\n2020-01-01,17,0.2\n2020-01-02,4,0.3\n", ARMS, {"arms": "r"}, {"r": [0.2, 0.3]}
    ),
    "days as Excel counts them": Settled("when,a\n44000,0.5\n44003,0.2\n", ARMS, {"arms": "a"}, {"a": [0.5, 0.2]}),
    "a column of words": Settled(
        "date,regime,r\n2020-01-01,bull,0.2\n2020-01-02,bear,0.3\n2020-01-03,bull,0.4\n",
        ARMS,
        {"arms": "r"},
        {"r": [0.2, 0.3, 0.4]},
    ),
    "words that name the arms": Settled(
        "date,regime,r\n2020-01-01,bull,0.2\n2020-01-02,bear,0.3\n2020-01-03,bull,0.4\n",
        ARMS,
        {"arms": "regime"},
        {"bull": [0.2, 0.4], "bear": [0.3]},
    ),
    "a column of totals": Settled("a,b,Total\n0.5,0.25,0.75\n0.1,0.2,0.3\n", ARMS, {"arms": ["a", "b"]}, AB),
    "volumes": Settled(
        "date,a,Volume\n2020-01-01,0.1,1000\n2020-01-02,0.2,1500\n", ARMS, {"arms": "a"}, {"a": [0.1, 0.2]}
    ),
    "percent beside": Settled("a,b\n0.1%,0.2\n0.3%,-0.2\n", ARMS, {"arms": "b"}, {"b": [0.2, -0.2]}),
    "currencies": Settled("a;b\n1,5 €;2,5 $\n", ARMS, {"arms": "a"}, {"a": [1.5]}),
    "an unnamed column": Settled("a,,b\n0.5,2.5,0.25\n0.1,3,0.2\n", ARMS, {"arms": ["a", "b"]}, AB),
    "no encoding that is known": Settled(
        "a\x81,b\n0.5,0.25\n0.1,0.2\n",
        "encoding= (--encoding)",
        {"encoding": "latin-1", "arms": "b"},
        {"b": [0.25, 0.2]},
        "latin-1",
    ),
}
