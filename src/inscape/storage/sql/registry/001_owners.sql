-- Which file is whose, and what must outlive a file. No text and no name.

CREATE TABLE owner (
    key        BLOB PRIMARY KEY,  -- keyed hash of tenant and user
    file       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE erasure (
    id      TEXT PRIMARY KEY,
    scope   TEXT NOT NULL,
    turns   INTEGER NOT NULL,
    notes   INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    checked TEXT NOT NULL
) STRICT, WITHOUT ROWID;
