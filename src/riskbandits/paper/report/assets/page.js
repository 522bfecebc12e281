"use strict";
// Tables: a button in every heading sorts by that column, first upwards, then downwards.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      for (const other of headings) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortRows(table.tBodies[0], column, down ? -1 : 1);
    });
  });
}

function sortRows(body, column, direction) {
  const key = (row) => row.cells[column].dataset.order;
  const number = (text) => (text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text));
  const rows = [...body.rows];
  const numeric = rows.every((row) => key(row) !== "" && !Number.isNaN(number(key(row))));
  const compare = numeric
    ? (a, b) => (number(a) === number(b) ? 0 : number(a) < number(b) ? -1 : 1)
    : (a, b) => a.localeCompare(b);
  rows.sort((a, b) => direction * compare(key(a), key(b)));
  body.append(...rows);
}

// A link to something inside a closed part opens it.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// Paper cannot be unfolded: everything is open while it is printed.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const part of closed) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of closed) part.open = false;
});
