"""What `sweep` gives back: one result per value of the parameter, and one table of them all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.results.result import Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FORMAT = "riskbandits-sweep"
VERSION = 2  # 1 had no checksums, and did not say so
WRITER = "SweepResult.save"
SUFFIXES = (".parquet", ".csv")


class SweepResult:
    """Results over the values of a parameter, in the order in which the values were given."""

    def __init__(self, name: str, values: Sequence[Any], results: Sequence[Result]) -> None:
        self.name = name
        self.values = list(values)
        self.results = list(results)

    @property
    def labels(self) -> list[str]:
        """The policies' labels."""
        return self.results[0].labels

    @property
    def settings(self) -> dict[str, Any]:
        """What was asked for, as plain data: that of the first value, with the problems of all."""
        shared = {key: value for key, value in self.results[0].settings.items() if key not in ("arms", "risk")}
        problems = [result.problem.to_data() for result in self.results]
        return {**shared, "parameter": self.name, "values": self.values, "problems": problems}

    @property
    def versions(self) -> dict[str, str]:
        """The versions on which the numbers may depend."""
        return self.results[0].versions

    def at(self, value: Any) -> Result:
        """The result for one value of the parameter."""
        for one, result in zip(self.values, self.results, strict=True):
            if one == value:
                return result
        raise unknown_name(f"{self.name} in this sweep equal to", value, self.values)

    def table(self) -> pd.DataFrame:
        """One row per value, policy and checkpoint: the columns of `Result.table`, after one for the parameter."""
        import pandas as pd

        parts = []
        for value, result in zip(self.values, self.results, strict=True):
            part = result.table()
            part.insert(0, self.name, [value] * len(part))
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def plot(self, metric: str = "exact_pseudo_regret", ax: Axes | None = None) -> Axes:
        """A metric at the horizon against the parameter, with 95 % bands for its mean."""
        from riskbandits.plotting import plot_against

        return plot_against(self.table(), self.name, metric, ax=ax)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the table: .parquet (with the settings as JSON in its metadata, for `load_table`) or .csv."""
        path = Path(checks.path("The file of a sweep", path))
        if path.suffix not in SUFFIXES:
            raise must_be("The file of a sweep", f"one that ends in {' or '.join(SUFFIXES)}", str(path))
        with files.replacing(path) as temporary:
            if path.suffix == ".csv":
                self.table().to_csv(temporary, index=False)
            else:
                self._write_parquet(temporary)
        return path

    def _write_parquet(self, path: str) -> None:
        import pyarrow as pa

        table = pa.Table.from_pandas(self.table(), preserve_index=False)
        header = {"format": FORMAT, "version": VERSION, "settings": self.settings, "versions": self.versions}
        parquet.write(table, path, FORMAT, header, repr)

    @staticmethod
    def load_table(path: str | os.PathLike[str]) -> pd.DataFrame:
        """The table in a .parquet file written by `save`, checked; `attrs` has the settings and versions."""
        header, table = parquet.read(path, FORMAT, VERSION, WRITER)
        with parquet.understanding(path, WRITER):
            found: pd.DataFrame = table.to_pandas()
            found.attrs = {"settings": header["settings"], "versions": header["versions"]}
        return found

    def __repr__(self) -> str:
        first = self.results[0].traces[0]
        return (
            f"<SweepResult: {', '.join(self.labels)} over {len(self.values)} values of {self.name}; "
            f"{first.runs} runs of {first.horizon} steps each>"
        )
