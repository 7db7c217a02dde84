/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make up a simulation share; nobody else includes it.
 *
 * Time moves by events alone.  After each, settle() carries out the reschedules
 * it led to and lets every CPU's current thread go on with its program until it
 * needs time or sleeps.
 */
#ifndef WORKLOAD_CLOCKWORK_H
#define WORKLOAD_CLOCKWORK_H

#include "base/pool.h"
#include "cpuset/cpuset_tree.h"
#include "engine/event_queue.h"
#include "model/cgroup.h"
#include "sched/core.h"
#include "sched/invariants.h"
#include "schedsim/observer.h"
#include "workload/simulation.h"

/* What happens first within one nanosecond. */
enum event_phase {
	EVENT_START,
	EVENT_KERNEL_ENDS,
	EVENT_RUN_ENDS,
	EVENT_SCHED_TIMER,
	EVENT_RCU,
	EVENT_SLEEP_ENDS,
	EVENT_ARRIVAL,
	EVENT_IPI,
	EVENT_TICK, /* + CPU: ticks of one instant come in ascending order */
	EVENT_SOFTIRQ = EVENT_TICK + CPUS_MAX,
};

/* Steps of one thread, or arrivals and requests of one source, at one instant: more
 * is a loop without end. */
#define AT_ONE_INSTANT_MAX 1000000

struct thread;

struct timer {
	bool started;
	uint64_t next_ns;
};

/* What a thread keeps for one step of its program. */
struct step_state {
	int loops_left; /* STEP_LOOP; negative: for ever */
	uint64_t turn;  /* of dist_sample() */
};

/* A program, and what follows from it once for all threads. */
struct compiled_program {
	const struct step *steps; /* not owned */
	int nr_steps;
	bool *ends_activation; /* [nr_steps] owned: the end of an outermost loop */
};

/* The turn a thread is at, and the event of it that takes time. */
struct phase_turn_state {
	bool open;
	struct phase_turn turn; /* so far, while @open */
	enum { TURN_NO_EVENT, TURN_RUNS, TURN_AWAITS_TIMER } event;
	uint64_t event_ns; /* when the run began; when the timer ends */
};

struct thread {
	struct sim_task sim; /* first: a thread is its task's owner */
	simulation *s;       /* not owned */
	char *comm;          /* owned */
	const struct compiled_program *program;
	struct random_stream random;

	int pc;                   /* the step that is next, or going on */
	int stage;                /* how far it has come; 0 when it has not begun */
	struct step_state *steps; /* [nr_steps] owned */
	struct timer *timers;     /* [nr_timers] owned: those of its own */
	uint64_t first_ns;        /* when its first loop was to begin */
	bool begun;               /* the delay before it is over */
	bool forked;              /* its task's settings are still to be made */
	bool seen;                /* the step that is next, with its marks */
	struct phase_turn_state turn;
	uint64_t steps_at_ns; /* an instant, and the steps done at it */
	unsigned steps_at_once;

	/* work on the CPU */
	uint64_t kernel_ns; /* comes first: time of the kernel and the caches */
	int ran_on;         /* CPU; CPU_NONE: it has not run yet */
	uint64_t work_left; /* ns << CAPACITY_SHIFT */
	uint64_t work_done; /* likewise, since the work began, by what the CPU can */
	bool by_time;       /* the work is CPU time: any CPU does it at CAPACITY_ONE */
	unsigned rate;      /* work a ns, while run_ends is pending */
	unsigned cpu_rate;  /* likewise, were it work and not CPU time */
	uint64_t run_since_ns; /* likewise */
	struct event run_ends;

	/* sleep */
	struct event sleep_ends;
	int sleep_cpu;         /* whose timer interrupt ends it */
	bool dormant;          /* sleeps until another wakes it, or is dead */
	bool signalled;        /* off a condition's list before it slept */
	struct list wait_node; /* in a mutex, condition or channel, or of a CPU */

	/* priority inheritance */
	struct list holds;        /* of mutex.owner_node */
	struct mutex *blocked_on; /* not owned; NULL: it queues for none */
	int wait_prio;            /* with which it queues */
	uint64_t wait_deadline;   /* likewise, of a deadline task */
	bool frozen;              /* stopped as it ran, until the thaw */
	bool wakes_at_thaw;       /* something woke it while threads were frozen */

	/* messages */
	struct message *received; /* the last one; NULL: none */
	struct channel *channel;  /* where it receives */
	bool waited;              /* for the message it is about to get */
	struct call *sending;     /* of the copies under way */
	int send_from;            /* the channel of the first copy */
	unsigned *sent_to;        /* [nr_channels] owned: copies to each group */

	struct cpuset_task place;        /* where there are cpusets */
	struct operation_run *operation; /* owned; NULL: it carries out none */
};

/* A CPU's interrupts, and what else keeps it from its threads. */
struct cpu_clock {
	simulation *s; /* not owned */
	int cpu;
	struct cpumask core;    /* CPUs of its core, on or off */
	int busy_siblings;      /* other CPUs of its core that are not idle */
	uint64_t owed_ns;       /* time to spend before it goes on */
	bool went_idle;         /* at this instant */
	bool asleep;            /* in an idle state that takes time to leave */
	uint64_t idle_since_ns; /* while asleep */
	uint64_t ticks;         /* of the coming one: it is due at ticks / HZ s */
	struct event tick;
	struct event ipi;

	bool in_kernel; /* the current thread is, and is not to be preempted */

	/* The kernel runs, and takes no interrupt, while this is pending. */
	struct event kernel_ends;
	struct list waking; /* of task.wake_entry: chosen for here or elsewhere by a
			       wakeup on this CPU, and about to be queued */

	/* messages of sources that this CPU is to deliver */
	struct message *backlog;      /* the first; NULL: none */
	struct message **backlog_end; /* where the next one is linked */
	enum { MSG_COMES, MSG_RECEIVED, MSG_WAKES } backlog_stage; /* of the first */
	struct event softirq;                                      /* goes on with it */

	enum { CPU_ON, CPU_LEAVES, CPU_OFF } power;
	struct list off_waiters; /* of thread.wait_node: they wait for CPU_OFF */
};

struct simulation {
	const struct workload_input *in; /* not owned */
	const workload *w;               /* not owned */
	uint64_t seed;
	struct machine *m; /* owned */
	event_queue *q;    /* owned */
	uint64_t events;
	uint64_t end_ns;
	GError *error; /* owned; ends the run */

	struct observer observer; /* the first of the machine's */
	invariants *invariants;   /* owned; NULL: not checked */
	struct sched_driver driver;
	struct sim_observer listeners; /* the first of a chain */

	struct cpumask todo;    /* CPUs whose current thread is to go on */
	struct cpumask idlers;  /* CPUs that went idle at this instant, or may sleep */
	struct cpu_clock *cpus; /* [nr_cpus] owned */
	struct event start;
	int nr_leaving; /* CPUs on their way off */
	bool freezing;  /* threads of the workload stand still */
	bool suspended; /* and all CPUs but one are off */
	bool asleep;    /* likewise, and a resume may begin */

	struct compiled_program *programs; /* [nr_tasks] owned */
	/* The arrays have room for all that may be forked. */
	struct thread *threads;    /* [nr_threads] owned */
	const struct task **tasks; /* [nr_threads] owned: those of the threads */
	int nr_threads;
	int *nr_forks; /* [nr_tasks] owned: of each task */
	int nr_dormant;

	struct mutex *mutexes;        /* [nr_mutexes] owned */
	struct condition *conditions; /* [nr_conditions] owned */
	struct list deadlocked; /* of thread.wait_node: no unlock will wake them */
	int *barriers;          /* [nr_barriers] owned: those to come before the last */
	struct channel_group *groups; /* [nr_channels] owned */
	struct timer *timers;         /* [nr_timers] owned: those that are shared */
	struct pool messages, calls;
	int nr_messages;  /* not yet done with */
	uint64_t last_id; /* of requests */

	struct source *sources; /* [nr_sources] owned */
	int nr_coming;          /* arrivals pending, and messages in backlogs */

	cgroup_tree *cgroups;                /* owned; NULL: there is no tree */
	cpusets *cpusets;                    /* owned; NULL: nothing is about them */
	struct sleeper *sleepers;            /* [] owned; NULL: none */
	struct control_plane *control_plane; /* owned; NULL without cpusets */
};

/* Who wakes: the current task of @cpu, or (@in_task false) an interrupt over it. */
struct waker {
	int cpu;
	bool in_task;
};

static inline struct waker waker_thread(const struct thread *t)
{
	return (struct waker){t->sim.task.cpu, true};
}

static inline struct waker waker_interrupt(int cpu)
{
	return (struct waker){cpu, false};
}

static inline uint64_t simulation_now(const simulation *s)
{
	return s->m->now_ns;
}

static inline uint64_t later_ns(uint64_t ns, uint64_t by_ns)
{
	return by_ns < UINT64_MAX - ns ? ns + by_ns : UINT64_MAX;
}

/* Ends the run with @error; the first one counts.  (transfer full) */
void simulation_fail(simulation *s, GError *error);

/* cpu_power.c: power is CPU_ON unless cpu_power.h's functions were called */
void cpu_power_init(struct cpu_clock *c);
/* CPUs on their way off are off if nothing keeps them.  True when one of them is. */
bool cpus_leave(simulation *s);

/* freezer.c: whether the current thread is to stand still until the thaw */
static inline bool thread_freezes(const struct thread *t)
{
	return t->s->freezing && !t->operation;
}
void thread_freeze(struct thread *t);
/* Wakes @t, which sleeps, now or (if it is to stand still) at the thaw. */
void thread_wake_up(struct thread *t, struct waker by, unsigned wake_flags);

/* threads.c: the life of a thread */
void threads_init(simulation *s);
/* What the threads of a program are: of a task or, after those, of an operation. */
const struct task_spec *thread_spec(const simulation *s, int program);
void threads_clear(simulation *s);
/* Creates every thread at this instant. */
void threads_start(simulation *s);
/* The current thread sleeps until thread_wake(). */
void thread_wait(struct thread *t);
/* The current thread sleeps until @at_ns, which may be now. */
void thread_sleep_until(struct thread *t, uint64_t at_ns);
/* Likewise both, within a system call. */
void thread_wait_in_kernel(struct thread *t);
void thread_sleep_in_kernel(struct thread *t, uint64_t at_ns);
void thread_exit(struct thread *t);
/* Threads that may be forked of one task. */
#define FORKS_MAX 1024
/*
 * @t, the current thread, creates one more of task @group (fewer than FORKS_MAX so
 * far), which begins with its policy, CPUs and control group.  0, or -EAGAIN.
 */
int thread_fork(struct thread *t, int group);
/* @wake_flags: WF_SYNC or 0 */
void thread_wake(struct thread *t, struct waker by, unsigned wake_flags);

/* cpu_run.c: work, and the interrupts of a CPU */
void cpus_init(simulation *s);
void cpus_clear(simulation *s);
/* @c runs its idle task and ticks. */
void cpu_clock_start(struct cpu_clock *c);
/* The current thread goes on after @ns of work, or (@by_time) of CPU time. */
void thread_work(struct thread *t, uint64_t ns, bool by_time);
/* It does nothing until it is told to go on. */
void thread_stop(struct thread *t);
/* The current thread of @cpu, or NULL. */
struct thread *current_thread(const simulation *s, int cpu);
/* What happened may call for reschedules and lets threads go on. */
void settle(simulation *s);

/* kernel_time.c: what keeps a CPU from its threads */
void kernel_time_init(struct cpu_clock *c);
/*
 * The current thread is in the kernel from now on and keeps its CPU, but for
 * interrupts, unless the kernel is one that preempts itself; until cpu_may_preempt(),
 * which is to come before it sleeps.
 */
void cpu_enters_kernel(struct cpu_clock *c);
void cpu_may_preempt(struct cpu_clock *c);
/* The kernel takes @ns on this CPU, after what it is at. */
void cpu_hold(struct cpu_clock *c, uint64_t ns);
/* It is done with what it held the CPU for, if it did. */
void cpu_release(struct cpu_clock *c);
/* @interrupt comes when the CPU has left its idle state; false: it need not wait. */
bool interrupt_put_off(struct cpu_clock *c, struct event *interrupt);
/* The CPU is left with its idle task and nothing to do. */
void cpu_rest(struct cpu_clock *c);
/* Hooks of the driver. */
void delay_ttwu(void *data, struct task *t, uint64_t ns);
void resched_waits(void *data, struct rq *rq);
void spend(void *data, struct rq *rq, uint64_t ns);

static inline bool cpu_is_held(const struct cpu_clock *c)
{
	return event_is_pending(&c->kernel_ends);
}

/*
 * Whether @interrupt, due on this CPU now, has to wait for the kernel or for the CPU
 * to leave its idle state; then it will come again.
 */
static inline bool interrupt_waits(struct cpu_clock *c, struct event *interrupt)
{
	return (c->asleep || cpu_is_held(c)) && interrupt_put_off(c, interrupt);
}

/* interpreter.c: the steps of a program */
void programs_init(simulation *s);
void programs_clear(simulation *s);
/* Does the step of the current thread, or a part of it, in no time. */
void thread_step(struct thread *t);
uint64_t step_amount(struct thread *t, const struct step *st);

static inline void step_done(struct thread *t)
{
	t->pc++;
	t->stage = 0;
	t->seen = false;
}

/* phase_turns.c */
/* @t goes on with @st, now or again: what it waited or worked for is over. */
void phase_turn_follow(struct thread *t, const struct step *st);
/* It begins a run of @ns, of work or of CPU time. */
void phase_turn_run(struct thread *t, uint64_t ns);
/* It begins a timer event whose period ends at @next_ns, which may be past. */
void phase_turn_timer(struct thread *t, uint64_t period_ns, uint64_t next_ns);

/* timers.c */
void timers_init(simulation *s);
void timers_clear(simulation *s);
void step_sleep(struct thread *t, const struct step *st);
void step_timer(struct thread *t, const struct step *st);

/* cgroups.c */
void cgroups_init(simulation *s);
void cgroups_clear(simulation *s);
/* The tree as the workload begins with it. */
void cgroups_start(simulation *s);
/* @t, about to be created, belongs to its task's group.  What it may run on. */
struct cpumask thread_begin_in_group(struct thread *t);
/* Likewise, to that of the thread that creates it. */
struct cpumask thread_begin_beside(struct thread *t, const struct thread *parent);
/* @t is dead. */
void thread_leave_groups(struct thread *t);
/* The current thread joins that group; @place: what a message names. */
void thread_join_group(struct thread *t, int group, const char *place);
void step_set_group(struct thread *t, const struct step *st);

/* sleepers.c */
/* Creates them, in their groups. */
void sleepers_start(simulation *s);
void sleepers_clear(simulation *s);

/* operations.c */
/* Of entry @index, as instance @instance of it. */
struct operation_run *operation_run_new(simulation *s, int index, int instance);
void operation_run_free(struct operation_run *run);
void step_operation(struct thread *t, const struct step *st);

/* operation_times.c */
/* When the first operation of @t is due, whose entry begins at @begun_ns. */
uint64_t operation_first_ns(struct thread *t, uint64_t begun_ns);

/* wakeup_check.c: with a breach of INVARIANT_ERROR */
bool wakeups_check(const simulation *s, GError **error);

#endif
