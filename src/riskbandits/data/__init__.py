"""Recorded rewards from files and frames: strict parsing of CSV of any origin, Parquet and pandas, with options."""

from riskbandits.data.frames import read_frame
from riskbandits.data.logged import LoggedDecisions, read_log
from riskbandits.data.options import TableOptions
from riskbandits.data.read import is_text, read_table
from riskbandits.data.reward_table import RewardTable
from riskbandits.data.sheet import Sheet, read_sheet

__all__ = [
    "LoggedDecisions",
    "RewardTable",
    "Sheet",
    "TableOptions",
    "is_text",
    "read_frame",
    "read_log",
    "read_sheet",
    "read_table",
]
