"""The command writes the page."""

from __future__ import annotations


def test_reproduce_writes_the_report_and_says_where(command, tmp_path):
    code, out, err = command("reproduce", "figure-1", "--out", tmp_path)
    assert code == 0, err
    page = tmp_path / "report.html"
    assert f"Report: {page}" in out
    text = page.read_text(encoding="utf-8")
    assert text.count("<img ") == 2
    assert "image/svg+xml;base64" in text or "image/png;base64" in text
