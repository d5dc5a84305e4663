-- One file holds one owner. Times are microseconds since 1970, UTC.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE change (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    verb    TEXT NOT NULL,
    author  TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;

CREATE TABLE speaker (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- One stretch of a session: a name comes again when its session had ended.
CREATE TABLE session (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT NOT NULL,
    agent_id TEXT,
    last_at  INTEGER NOT NULL,
    ended_by TEXT
) STRICT;
CREATE INDEX session_by_name ON session (name);
CREATE INDEX session_open ON session (agent_id) WHERE ended_by IS NULL;

-- `row` is shared by turns and note versions and never used twice: it is what words and vectors point to.
CREATE TABLE turn (
    row          INTEGER PRIMARY KEY,
    session      INTEGER NOT NULL REFERENCES session (id),
    speaker      INTEGER NOT NULL REFERENCES speaker (id),
    role         TEXT NOT NULL,
    day          INTEGER NOT NULL,  -- local calendar day as a proleptic ordinal, 0 without a time
    cues         INTEGER NOT NULL,  -- what its form gives away (text.cues.Cue)
    length       INTEGER NOT NULL,  -- terms
    size         INTEGER NOT NULL,  -- tokens, as a budget counts them
    said_at      INTEGER,
    utc_offset   INTEGER NOT NULL,
    added_at     INTEGER NOT NULL,
    agent_id     TEXT,
    run_id       TEXT,
    infer        INTEGER NOT NULL,  -- 0: nothing is ever derived from it
    message_id   TEXT UNIQUE,
    same         BLOB NOT NULL,     -- digest of session name, speaker, text, captions
    change_id    INTEGER NOT NULL REFERENCES change (id),
    set_aside_by INTEGER REFERENCES change (id),
    captions     TEXT NOT NULL,
    metadata     TEXT NOT NULL,
    text         TEXT NOT NULL
) STRICT;
CREATE INDEX turn_same ON turn (same);
CREATE INDEX turn_session ON turn (session);
CREATE INDEX turn_set_aside ON turn (row) WHERE set_aside_by IS NOT NULL;

CREATE TABLE note (
    row           INTEGER PRIMARY KEY,
    number        INTEGER NOT NULL,  -- the row of its first version: the note's id
    version       INTEGER NOT NULL,
    subject       INTEGER NOT NULL REFERENCES speaker (id),
    kind          TEXT NOT NULL,
    length        INTEGER NOT NULL,
    valid_from    INTEGER,
    valid_to      INTEGER,
    believed_from INTEGER NOT NULL,
    believed_to   INTEGER,
    confidence    REAL NOT NULL,
    pinned        INTEGER NOT NULL DEFAULT 0,
    author        TEXT NOT NULL,
    change_id     INTEGER NOT NULL REFERENCES change (id),
    closed_by     INTEGER REFERENCES change (id),
    text          TEXT NOT NULL,
    UNIQUE (number, version)
) STRICT;
CREATE INDEX note_closed ON note (row) WHERE closed_by IS NOT NULL;

CREATE TABLE source (
    note  INTEGER NOT NULL REFERENCES note (row),
    turn  INTEGER NOT NULL REFERENCES turn (row),
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    PRIMARY KEY (note, turn, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_turn ON source (turn);

CREATE TABLE term (
    id   INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE posting (
    term INTEGER NOT NULL,
    row  INTEGER NOT NULL,
    tf   INTEGER NOT NULL,
    PRIMARY KEY (term, row)
) STRICT, WITHOUT ROWID;

-- Vectors of one embedding recipe. An empty `vector` says that the model cannot read the text.
CREATE TABLE sentence (
    recipe INTEGER NOT NULL,
    row    INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (recipe, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
    recipe  INTEGER NOT NULL,
    row     INTEGER NOT NULL,
    vectors BLOB NOT NULL,
    PRIMARY KEY (recipe, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE recipe (
    id        INTEGER PRIMARY KEY,
    model     TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    hash      TEXT NOT NULL UNIQUE
) STRICT;
