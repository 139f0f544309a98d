/* profiles.h - the assumptions of the cost model: what each of them is, what the profiles say, where that comes
 * from; and which of them make the difference between two predictions. */
#ifndef PLAN_PROFILES_PROFILES_H
#define PLAN_PROFILES_PROFILES_H

#include "runtime/bind/job.h"

/* Profiles by their globals: one column each. */
struct profile_list {
	const uint32_t *at;
	uint32_t n;
};

/* A line for each field of the schema `profile` with its value in each profile, and below it what it is and its
 * source; or the same as one JSON object. */
void profiles_print(struct eval *ev, const struct profile_list *list, struct out *o);
void profiles_json(struct eval *ev, const struct profile_list *list, struct out *o);

/* The comment of a field without the source in brackets at its end, and that source ("" when there is none). Views
 * of one line each. */
struct str profile_field_text(struct arena *a, struct str doc, struct str *source);

/* The value of a field in the profile of that name, as a person reads it. */
struct str profile_value_text(struct eval *ev, struct str profile, const char *field);

/* What a field is, and its source in brackets. */
struct str profile_field_doc(struct eval *ev, const char *field);

/* ---- what makes the difference ------------------------------------------------------------------ */

/* One field taken from the other profile, alone. */
struct profile_effect {
	const char *field;
	int64_t effect;              /* units by which the value changes */
	bool refused;                /* the engine does not evaluate the job so; counted as no effect */
};

/* Value of one result of a job under two profiles, and which fields make the difference. Everything is in whole
 * units of the result (nanoseconds, bytes, millionths), so that `effect` of all fields and `together` add up to
 * `after - before` exactly. */
struct profile_difference {
	struct str before_name, after_name;
	int64_t before, after;
	struct profile_effect *effects;      /* fields that differ, the largest first */
	uint32_t effect_count;
	int64_t together;            /* what fields do only together */
};

/* Takes `result` of `job` apart. false: one of the two predictions failed, which was reported. */
bool profiles_compare(struct eval *ev, const struct job *job, struct job_number result, double unit,
		      struct str before, struct str after, struct profile_difference *d);

/* The answer of `planc why NAME --profiles`, from `standard` to `after`. `question` is the node of NAME, whose text is
 * `label`: a number of a job. false after a report, or with a reason in *refusal when it is none. */
bool why_profiles_ask(struct eval *ev, ir_id question, struct str label, struct str after, bool json,
		      struct out *o, const char **refusal);

#endif
