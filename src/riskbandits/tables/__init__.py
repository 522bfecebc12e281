"""Strict parsing of user tables: CSV files of any origin, Parquet, pandas."""

from riskbandits.tables.reading import Reading, read_table, understood
from riskbandits.tables.sheet import Sheet, read_sheet

__all__ = ["Reading", "Sheet", "read_sheet", "read_table", "understood"]
