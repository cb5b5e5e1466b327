"""Queues and logs in the shapes they are found in."""

CURRENT = """\
# The planner's list.
schema:
  version: 1.0.1
  generated: '2026-02-07'
  # NOTE: Counts are derived, never kept here.
task_types:
- architecture
- process
tasks:
- id: TASK-001
  type: architecture
  status: completed   # by hand
  priority: HIGH
  priority_score: 8.5
  title: Create the framework
  roi:
    impact: 8.5
    effort: 45
  blockedBy: []
  blocks:
  - TASK-002
  goal: IG-007
# the one that matters
- id: TASK-002
  type: process
  status: pending  # pending | in_progress | completed
  priority: CRITICAL
  title: "Use it: everywhere"
  notes: |
    - id: TASK-999
    # not a comment
  blockedBy:
  - TASK-001

- id: TASK-003
  status: pending
  priority: LOW
  title: Tidy up
  blockedBy: [TASK-002]
# the end
"""

OLDER = """\
queue:
  - task_id: TASK-001
    title: 'First'
    priority: high
    status: pending  # pending, in_progress, completed, failed
    notes: |
      Several
      lines
  - task_id: TASK-002
    title: Second
    status: failed

metadata:
  # kept by the planner
  queue_depth_target: 3-5
"""

SINGLE = """\
# queue.yaml - what is ready right now
version: "1.0"
updated_by: "planner"

# The task that should be executed next.
next_task: TASK-007
reasoning: null
context_summary: Mend the gate
status: ready  # waiting | ready | executing | blocked
blocker_reason: null
last_processed_at: null

active_execution:
  task_id: null
  claimed_at: null
  claimed_by: null  # executor run_id
  estimated_completion: null

heartbeat:
  last_seen: null
  status: idle  # idle | executing | error
"""

FLOW = """\
# one line each
tasks: [{id: TASK-001, status: pending, title: One}, {id: TASK-002, status: pending, title: Two}]
"""

SHAPES = {"current": CURRENT, "older": OLDER, "single": SINGLE, "flow": FLOW}
