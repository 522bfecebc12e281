"""The database: tables, statements, migrations."""
