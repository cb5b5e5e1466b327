"""What is said to the database.

name  ->  statement
"""

LOCK = 0x534E4157
"""An advisory lock, so that two machines do not create the tables at once."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS snaphook_task (
    project text, id text, seq bigserial, status text NOT NULL, claimed_by text NOT NULL,
    rank int NOT NULL, score double precision NOT NULL, blocked_by text[] NOT NULL,
    body jsonb NOT NULL, PRIMARY KEY (project, id)
);
CREATE INDEX IF NOT EXISTS snaphook_task_free
    ON snaphook_task (project, rank, score, seq) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS snaphook_task_held
    ON snaphook_task (project, claimed_by) WHERE status = 'in_progress';
CREATE TABLE IF NOT EXISTS snaphook_entry (
    project text, seq bigserial, at double precision NOT NULL, body jsonb NOT NULL,
    origin text NOT NULL DEFAULT '', PRIMARY KEY (project, seq)
);
CREATE TABLE IF NOT EXISTS snaphook_beat (
    project text, id text, body jsonb NOT NULL, PRIMARY KEY (project, id)
);
CREATE TABLE IF NOT EXISTS snaphook_agent (
    project text, id text, body jsonb NOT NULL, PRIMARY KEY (project, id)
);
CREATE TABLE IF NOT EXISTS snaphook_skill (
    project text, id text, seq bigserial, body jsonb NOT NULL, PRIMARY KEY (project, id)
);
CREATE TABLE IF NOT EXISTS snaphook_done (
    project text, id text, at double precision NOT NULL, PRIMARY KEY (project, id)
);
"""

TAKING = """
CREATE OR REPLACE FUNCTION snaphook_claim(
    p_project text, p_agent text, p_several boolean, p_claim jsonb, p_entry jsonb, p_at double precision
) RETURNS TABLE (taken jsonb) LANGUAGE plpgsql AS $$
DECLARE
    chosen snaphook_task;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_project || '/' || p_agent, 0));
    IF NOT p_several THEN
        SELECT * INTO chosen FROM snaphook_task
        WHERE project = p_project AND status = 'in_progress' AND claimed_by = p_agent
        ORDER BY seq LIMIT 1 FOR UPDATE;
        IF FOUND THEN
            UPDATE snaphook_task SET body = body || (p_claim - 'claimed_at')
            WHERE project = p_project AND id = chosen.id RETURNING body INTO taken;
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;
    SELECT * INTO chosen FROM snaphook_task AS task
    WHERE project = p_project AND status = 'pending' AND NOT EXISTS (
        SELECT FROM unnest(blocked_by) AS blocker WHERE NOT EXISTS (
            SELECT FROM snaphook_task AS other
            WHERE other.project = task.project AND other.id = blocker AND other.status = 'completed'
        )
    )
    ORDER BY rank, score, seq LIMIT 1 FOR UPDATE OF task SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE snaphook_task SET status = 'in_progress', claimed_by = p_agent,
        body = body || p_claim || jsonb_build_object(
            'status', 'in_progress', 'claimed_by', p_agent, 'claim_token', 1 + CASE
                WHEN body ->> 'claim_token' ~ '^[0-9]{1,15}$' THEN (body ->> 'claim_token')::bigint
                ELSE 0 END)
    WHERE project = p_project AND id = chosen.id RETURNING body INTO taken;
    INSERT INTO snaphook_entry (project, at, body)
    VALUES (p_project, p_at, p_entry || jsonb_build_object('task_id', chosen.id));
    RETURN NEXT;
END $$;
"""
"""A claim of whatever is most urgent, in one round trip: ``claims.choose`` and ``claims.claimed`` in SQL.

A function, since each of its statements sees what was committed before it began: a second claim of the same
agent, let in by the lock, sees what the first one took. In a single statement it would not.
"""
CLAIM = """
SELECT taken FROM snaphook_claim(
    %(project)s, %(agent)s, %(several)s, %(claim)s, %(entry)s, %(at)s)
"""
END = """
WITH ended AS (
    UPDATE snaphook_task SET status = %(status)s, body = (body - %(without)s::text[]) || %(fields)s,
        claimed_by = CASE WHEN 'claimed_by' = ANY(%(without)s) THEN '' ELSE claimed_by END
    WHERE project = %(project)s AND id = %(id)s AND status = 'in_progress' AND claimed_by = %(agent)s
        AND coalesce(body ->> 'claim_token', '0') = %(token)s
    RETURNING 1
), logged AS (
    INSERT INTO snaphook_entry (project, at, body)
    SELECT %(project)s, %(at)s, %(entry)s FROM ended WHERE NOT %(silent)s
)
SELECT 1 FROM ended
"""
"""The usual end of a claim: still held, by the agent that says so. Anything else is looked at closely."""

TASKS = """
SELECT body FROM snaphook_task
WHERE project = %(project)s AND (%(status)s::text IS NULL OR status = %(status)s) ORDER BY seq
"""
TASK = "SELECT body FROM snaphook_task WHERE project = %(project)s AND id = %(id)s"
LOCKED = TASK + " FOR UPDATE"
NAMED = "SELECT body FROM snaphook_task WHERE project = %(project)s AND id = ANY(%(ids)s)"
IDS = "SELECT id FROM snaphook_task WHERE project = %(project)s ORDER BY seq"
COUNTS = "SELECT status, count(*) FROM snaphook_task WHERE project = %(project)s GROUP BY status"
HELD = """
SELECT body FROM snaphook_task WHERE project = %(project)s AND status = 'in_progress'
ORDER BY seq FOR UPDATE SKIP LOCKED
"""
HELD_BY = """
SELECT body FROM snaphook_task
WHERE project = %(project)s AND status = 'in_progress' AND claimed_by = %(agent)s ORDER BY seq
"""
NEXT = """
SELECT body FROM snaphook_task AS task
WHERE project = %(project)s AND status = 'pending' AND NOT EXISTS (
    SELECT FROM unnest(blocked_by) AS blocker WHERE NOT EXISTS (
        SELECT FROM snaphook_task AS other
        WHERE other.project = task.project AND other.id = blocker AND other.status = 'completed'
    )
)
ORDER BY rank, score, seq LIMIT 1
"""
"""The most urgent task that nobody holds and nothing holds up."""

NOTIFY = """
SELECT set_config('synchronous_commit', 'off', true), pg_notify(%(channel)s, %(project)s)
"""
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended(%(who)s, 0))"
"""One agent's claims come one after the other, from however many processes it makes them."""

_COLUMNS = "(project, id, status, claimed_by, rank, score, blocked_by, body)"
_VALUES = """(%(project)s, %(id)s, %(status)s, %(claimed_by)s, %(rank)s, %(score)s,
%(blocked_by)s, %(body)s)"""
ADD = f"INSERT INTO snaphook_task {_COLUMNS} VALUES {_VALUES} ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608
UPDATE = """
UPDATE snaphook_task SET status = %(status)s, claimed_by = %(claimed_by)s, rank = %(rank)s,
    score = %(score)s, blocked_by = %(blocked_by)s, body = %(body)s
WHERE project = %(project)s AND id = %(id)s
"""
PUT = f"""
INSERT INTO snaphook_task {_COLUMNS} VALUES {_VALUES}
ON CONFLICT (project, id) DO UPDATE SET status = excluded.status, claimed_by = excluded.claimed_by,
    rank = excluded.rank, score = excluded.score, blocked_by = excluded.blocked_by, body = excluded.body
"""  # noqa: S608

LOG = "INSERT INTO snaphook_entry (project, at, body) VALUES (%(project)s, %(at)s, %(body)s)"
ENTRIES = """
SELECT body FROM snaphook_entry WHERE project = %(project)s ORDER BY seq DESC LIMIT %(last)s
"""
ADD_ENTRY = """
INSERT INTO snaphook_entry (project, at, body, origin)
VALUES (%(project)s, %(at)s, %(body)s, %(origin)s)
"""
HOLD_ENTRIES = "LOCK TABLE snaphook_entry IN SHARE ROW EXCLUSIVE MODE"
"""While the log is copied nobody adds to it: a number that commits late would be passed over."""
ENTRIES_AFTER = """
SELECT seq, origin, body FROM snaphook_entry
WHERE project = %(project)s AND seq > %(seq)s ORDER BY seq
"""
BEATS = "SELECT id, body FROM snaphook_beat WHERE project = %(project)s ORDER BY id"
BEATS_OF = "SELECT id, body FROM snaphook_beat WHERE project = %(project)s AND id = ANY(%(ids)s)"
AGENTS = "SELECT id, body FROM snaphook_agent WHERE project = %(project)s ORDER BY id"
SKILLS = "SELECT body FROM snaphook_skill WHERE project = %(project)s ORDER BY seq"
BEAT = """
INSERT INTO snaphook_beat VALUES (%(project)s, %(id)s, %(body)s)
ON CONFLICT (project, id) DO UPDATE SET body = snaphook_beat.body || excluded.body
"""
SET_AGENT = """
INSERT INTO snaphook_agent VALUES (%(project)s, %(id)s, %(body)s)
ON CONFLICT (project, id) DO UPDATE SET body = excluded.body
"""
SKILL = """
INSERT INTO snaphook_skill (project, id, body) VALUES (%(project)s, %(id)s, %(body)s)
ON CONFLICT (project, id) DO UPDATE SET body = excluded.body
"""
DONE = """
INSERT INTO snaphook_done VALUES (%(project)s, %(id)s, %(at)s) ON CONFLICT DO NOTHING RETURNING 1
"""
IS_DONE = "SELECT 1 FROM snaphook_done WHERE project = %(project)s AND id = %(id)s"
