"""How Alembic reaches the database: by the connection that `riskbandits.service.db.engine` has opened and locked."""

from alembic import context

from riskbandits.service.db.tables import metadata

if hasattr(context, "config"):  # not so when the file is imported by itself
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
    )
    context.run_migrations()
