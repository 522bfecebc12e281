"""The database of the service: the contract (`storage`), and its SQL for SQLite and PostgreSQL."""
