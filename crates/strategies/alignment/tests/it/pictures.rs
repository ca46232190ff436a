//! Candidates and refusals of `alignment`, drawn.

const QUEUE: &str = "\
def push(queue, job):
    if len(queue.jobs) == queue.limit:
        raise Full(queue)
    queue.jobs.append(job)
    queue.waiting.notify()

def pop(queue):
    job = queue.jobs.popleft()
    queue.running += 1
    return job
";

fuzzy_testkit::pictures!(
    fuzzy_alignment::Alignment,
    (
        accepts_lines_with_another_indentation_and_a_typing_error,
        QUEUE,
        "if len(queue.jobs) == queue.limit:\n  raise Full(queue)\nqueue.jobs.apend(job)"
    ),
    (
        accepts_what_leaves_a_line_out,
        QUEUE,
        "def push(queue, job):\n    if len(queue.jobs) == queue.limit:\n    queue.jobs.append(job)\n    queue.waiting.notify()"
    ),
    (accepts_line_numbers, QUEUE, "7| def pop(queue):\n8|     job = queue.jobs.popleft()"),
    (
        proposes_every_equal_place,
        "a:\n  width: 1\n  color: red\nb:\n  width: 1\n  color: red\n",
        "width: 1 \ncolor:  red"
    ),
    (refuses_a_sibling, QUEUE, "def peek(queue):\n    job = queue.jobs[0]\n    queue.peeked = True\n    return job"),
    (refuses_one_line_with_another_number, QUEUE, "    queue.running += 20"),
);
