/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which events run, whatever was added, moved and cancelled.
 */
#include "test.h"

#include "base/random.h"
#include "engine/event_queue.h"

#define NR_EVENTS 300
#define NR_STEPS 20000

/* What ran, a letter an event, and when the last did. */
struct trace {
	char letters[64];
	unsigned nr;
	uint64_t now_ns;
};

struct letter_event {
	struct event event;
	struct trace *trace; /* not owned */
	char letter;
};

static void note(void *subject, uint64_t now_ns)
{
	struct letter_event *ev = subject;

	ev->trace->letters[ev->trace->nr++] = ev->letter;
	ev->trace->now_ns = now_ns;
}

/* A queue and events a, b, c, ... of phase 0. */
struct scene {
	event_queue *queue; /* owned */
	struct trace trace;
	struct letter_event events[26];
};

static int set_up(void **state)
{
	struct scene *s = g_new0(struct scene, 1);

	s->queue = event_queue_new();
	for (int i = 0; i < 26; i++) {
		s->events[i].event.fn = note;
		s->events[i].event.subject = &s->events[i];
		s->events[i].trace = &s->trace;
		s->events[i].letter = 'a' + i;
	}
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *s = *state;

	event_queue_free(s->queue);
	g_free(s);
	return 0;
}

static struct event *event_of(struct scene *s, char letter)
{
	return &s->events[letter - 'a'].event;
}

static void add(struct scene *s, char letter, uint64_t at_ns)
{
	event_queue_add(s->queue, event_of(s, letter), at_ns);
}

static void move(struct scene *s, char letter, uint64_t at_ns)
{
	event_queue_move(s->queue, event_of(s, letter), at_ns);
}

static void cancel(struct scene *s, char letter)
{
	event_queue_cancel(s->queue, event_of(s, letter));
}

static void assert_runs(struct scene *s, const char *letters)
{
	while (event_queue_run_next(s->queue))
		;
	assert_string_equal(s->trace.letters, letters);
}

static void an_empty_queue_has_nothing_to_run(void **state)
{
	struct scene *s = *state;

	assert_false(event_queue_run_next(s->queue));
	assert_true(event_queue_next_at(s->queue) == UINT64_MAX);
	assert_true(event_queue_now(s->queue) == 0);
}

static void events_run_by_time(void **state)
{
	struct scene *s = *state;

	add(s, 'a', 30);
	add(s, 'b', 10);
	add(s, 'c', 20);
	assert_true(event_queue_next_at(s->queue) == 10);
	assert_runs(s, "bca");
}

static void running_an_event_moves_time_to_it(void **state)
{
	struct scene *s = *state;

	add(s, 'a', 10);
	add(s, 'b', UINT64_MAX);
	assert_true(event_queue_run_next(s->queue));
	assert_true(s->trace.now_ns == 10);
	assert_true(event_queue_now(s->queue) == 10);
	assert_true(event_queue_run_next(s->queue));
	assert_true(s->trace.now_ns == UINT64_MAX);
}

static void equal_times_run_in_the_order_added(void **state)
{
	struct scene *s = *state;

	for (const char *letter = "hgfedcba"; *letter; letter++)
		add(s, *letter, 5);
	assert_runs(s, "hgfedcba");
}

static void at_equal_times_the_lower_phase_runs_first(void **state)
{
	struct scene *s = *state;

	event_of(s, 'a')->phase = 2;
	event_of(s, 'b')->phase = 0;
	event_of(s, 'c')->phase = 1;
	event_of(s, 'd')->phase = G_MAXUINT32;
	event_of(s, 'e')->phase = 1;
	for (const char *letter = "dabce"; *letter; letter++)
		add(s, *letter, 5);
	assert_runs(s, "bcead");
}

static void time_goes_before_phase(void **state)
{
	struct scene *s = *state;

	event_of(s, 'a')->phase = 9;
	add(s, 'b', 6);
	add(s, 'a', 5);
	assert_runs(s, "ab");
}

static void a_cancelled_event_does_not_run(void **state)
{
	struct scene *s = *state;

	for (const char *letter = "abcdefgh"; *letter; letter++)
		add(s, *letter, *letter);
	cancel(s, 'a');
	cancel(s, 'd');
	cancel(s, 'h');
	assert_false(event_is_pending(event_of(s, 'd')));
	assert_runs(s, "bcefg");
}

static void cancelling_what_is_not_pending_changes_nothing(void **state)
{
	struct scene *s = *state;

	add(s, 'a', 1);
	cancel(s, 'b');
	cancel(s, 'b');
	assert_runs(s, "a");
	cancel(s, 'a');
}

/*
 * In a heap of fours the root's children are b, c, d, e; f to i hang below b and
 * j to m below c.  With f gone m takes its place, and must rise past b.
 */
static void cancelling_may_raise_what_fills_the_gap(void **state)
{
	struct scene *s = *state;
	static const uint64_t at_ns[] = {1,  50, 2,  60, 70, 51, 52,
					 53, 54, 10, 11, 12, 13};

	for (int i = 0; i < 13; i++)
		add(s, 'a' + i, at_ns[i]);
	cancel(s, 'f');
	assert_runs(s, "acjklmbghide");
}

static void a_moved_event_runs_at_its_new_time(void **state)
{
	struct scene *s = *state;

	for (const char *letter = "abcdef"; *letter; letter++)
		add(s, *letter, *letter);
	move(s, 'a', 'd' + 10);
	move(s, 'f', 1);
	assert_true(event_of(s, 'f')->at_ns == 1);
	assert_true(event_queue_next_at(s->queue) == 1);
	assert_runs(s, "fbcdea");
}

static void moving_what_is_not_pending_adds_it(void **state)
{
	struct scene *s = *state;

	move(s, 'a', 3);
	assert_true(event_is_pending(event_of(s, 'a')));
	assert_runs(s, "a");
}

/* As one cancelled and added again would: also when its time stays. */
static void a_moved_event_queues_behind_its_equals(void **state)
{
	struct scene *s = *state;

	add(s, 'a', 5);
	add(s, 'b', 5);
	add(s, 'c', 5);
	move(s, 'a', 5);
	assert_runs(s, "bca");
}

static void a_moved_event_takes_a_new_phase_along(void **state)
{
	struct scene *s = *state;

	add(s, 'a', 5);
	add(s, 'b', 5);
	cancel(s, 'b');
	event_of(s, 'a')->phase = 1;
	move(s, 'a', 5);
	add(s, 'b', 5);
	assert_runs(s, "ba");
}

static void add_again_at_once(void *subject, uint64_t now_ns)
{
	struct scene *s = subject;

	s->trace.letters[s->trace.nr++] = 'z';
	assert_false(event_is_pending(event_of(s, 'z')));
	if (s->trace.nr < 4)
		add(s, 'z', now_ns);
}

/* Behind those that wait for the same nanosecond. */
static void an_event_may_add_itself_for_the_same_time(void **state)
{
	struct scene *s = *state;

	event_of(s, 'z')->fn = add_again_at_once;
	event_of(s, 'z')->subject = s;
	add(s, 'z', 5);
	add(s, 'a', 5);
	assert_runs(s, "zazz");
}

static void time_may_be_advanced_up_to_the_next_event(void **state)
{
	struct scene *s = *state;

	event_queue_advance(s->queue, 7);
	assert_true(event_queue_now(s->queue) == 7);
	add(s, 'a', 9);
	event_queue_advance(s->queue, 9);
	assert_true(event_queue_now(s->queue) == 9);
	assert_runs(s, "a");
	assert_true(s->trace.now_ns == 9);
}

static void freeing_leaves_pending_events_alone(void **state)
{
	struct scene *s = *state;
	event_queue *other = event_queue_new();

	event_queue_add(other, event_of(s, 'a'), 5);
	event_queue_free(other);
	event_queue_free(NULL);
	assert_true(event_of(s, 'a')->at_ns == 5);
}

static void two_queues_do_not_know_each_other(void **state)
{
	struct scene *s = *state;
	g_autoptr(event_queue) other = event_queue_new();

	event_queue_add(other, event_of(s, 'a'), 5);
	add(s, 'b', 100);
	assert_true(event_queue_run_next(s->queue));
	assert_true(event_queue_now(s->queue) == 100);
	assert_true(event_queue_now(other) == 0);
	assert_true(event_queue_next_at(other) == 5);
}

/* The plainest queue there is: a sorted list of what is pending, kept beside. */
struct model {
	struct event *pending[NR_EVENTS]; /* in the order they must run */
	unsigned nr;
};

static bool model_runs_before(const struct model *m, unsigned i, uint64_t at_ns,
			      uint32_t phase)
{
	const struct event *ev = m->pending[i];

	return ev->at_ns < at_ns || (ev->at_ns == at_ns && ev->phase <= phase);
}

static void model_add(struct model *m, struct event *ev, uint64_t at_ns)
{
	unsigned i = m->nr++;

	for (; i && !model_runs_before(m, i - 1, at_ns, ev->phase); i--)
		m->pending[i] = m->pending[i - 1];
	m->pending[i] = ev;
}

static void model_remove(struct model *m, const struct event *ev)
{
	unsigned i = 0;

	while (i < m->nr && m->pending[i] != ev)
		i++;
	if (i == m->nr)
		return;
	for (m->nr--; i < m->nr; i++)
		m->pending[i] = m->pending[i + 1];
}

static void remember(void *subject, uint64_t now_ns)
{
	*(uint64_t *)subject = now_ns;
}

/* Does one random thing to @ev in the queue and in the model. */
static void shake(event_queue *q, struct model *m, struct event *ev,
		  struct random_stream *s)
{
	uint64_t at_ns = event_queue_now(q) + random_below(s, 50);

	switch (random_below(s, 4)) {
	case 0:
		model_remove(m, ev);
		event_queue_cancel(q, ev);
		return;
	case 1:
		model_remove(m, ev);
		model_add(m, ev, at_ns);
		event_queue_move(q, ev, at_ns);
		return;
	default:
		if (event_is_pending(ev))
			return;
		ev->phase = random_below(s, 3);
		model_add(m, ev, at_ns);
		event_queue_add(q, ev, at_ns);
	}
}

static void run_first(event_queue *q, struct model *m, uint64_t *ran_at_ns)
{
	struct event *first = m->nr ? m->pending[0] : NULL;

	assert_true(event_queue_next_at(q) == (first ? first->at_ns : UINT64_MAX));
	assert_int_equal(event_queue_run_next(q), first != NULL);
	if (!first)
		return;
	assert_false(event_is_pending(first));
	assert_true(*ran_at_ns == first->at_ns);
	model_remove(m, first);
	for (unsigned i = 0; i < m->nr; i++)
		assert_true(event_is_pending(m->pending[i]));
}

/* Times crowd on 50 nanoseconds, so most of the order is by phase and sequence. */
static void a_long_random_run_keeps_the_order_of_a_sorted_list(void **state)
{
	g_autoptr(event_queue) q = event_queue_new();
	g_autofree struct event *events = g_new0(struct event, NR_EVENTS);
	g_autofree struct model *m = g_new0(struct model, 1);
	struct random_stream s;
	uint64_t ran_at_ns = 0;

	random_stream_init(&s, 1, "shake");
	for (int i = 0; i < NR_EVENTS; i++) {
		events[i].fn = remember;
		events[i].subject = &ran_at_ns;
	}
	for (int step = 0; step < NR_STEPS; step++) {
		/* swells to nearly all events, then runs dry, in turns */
		bool swells = step / 1000 % 2 == 0;

		shake(q, m, &events[random_below(&s, NR_EVENTS)], &s);
		if (random_below(&s, swells ? 8 : 2) == 0)
			run_first(q, m, &ran_at_ns);
	}
	while (m->nr)
		run_first(q, m, &ran_at_ns);
	run_first(q, m, &ran_at_ns);
}

#define TEST(claim) cmocka_unit_test_setup_teardown(claim, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_queue_has_nothing_to_run),
		TEST(events_run_by_time),
		TEST(running_an_event_moves_time_to_it),
		TEST(equal_times_run_in_the_order_added),
		TEST(at_equal_times_the_lower_phase_runs_first),
		TEST(time_goes_before_phase),
		TEST(a_cancelled_event_does_not_run),
		TEST(cancelling_what_is_not_pending_changes_nothing),
		TEST(cancelling_may_raise_what_fills_the_gap),
		TEST(a_moved_event_runs_at_its_new_time),
		TEST(moving_what_is_not_pending_adds_it),
		TEST(a_moved_event_queues_behind_its_equals),
		TEST(a_moved_event_takes_a_new_phase_along),
		TEST(an_event_may_add_itself_for_the_same_time),
		TEST(time_may_be_advanced_up_to_the_next_event),
		TEST(freeing_leaves_pending_events_alone),
		TEST(two_queues_do_not_know_each_other),
		TEST(a_long_random_run_keeps_the_order_of_a_sorted_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
