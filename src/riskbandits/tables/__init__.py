"""Strict parsing of user tables: CSV files of any origin, Parquet, pandas."""

from riskbandits.tables.frames import understood
from riskbandits.tables.from_files import is_text, read_table
from riskbandits.tables.reading import Reading
from riskbandits.tables.sheet import Sheet, read_sheet

__all__ = ["Reading", "Sheet", "is_text", "read_sheet", "read_table", "understood"]
