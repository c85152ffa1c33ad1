"""What the hall keeps: players, their tables and runs, the boards and the daily.

SQLAlchemy Core, one code path for SQLite and PostgreSQL. Every function takes a `Connection` that is inside a
transaction and never commits: what belongs together is kept together by the caller. Times are UTC epoch seconds and
come from the caller; nothing here reads a clock.
"""
