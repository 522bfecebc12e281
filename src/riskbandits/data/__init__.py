"""Strict parsing of user tables: CSV files of any origin, Parquet, pandas."""

from riskbandits.data.frames import understood
from riskbandits.data.from_files import is_text, read_table
from riskbandits.data.reading import Reading
from riskbandits.data.sheet import Sheet, read_sheet

__all__ = ["Reading", "Sheet", "is_text", "read_sheet", "read_table", "understood"]
