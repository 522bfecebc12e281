// Summaries of search results are fetched page by page, which a browser refuses for pages opened from files.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
