/* step_time.c - asks libplan how long a step of a job takes and what it needs on the fullest GPU.
 *
 *	cc -o step_time step_time.c $(pkg-config --cflags --libs plan)
 *	./step_time ../llama3_8b_a100.plan
 */
#include <plan.h>
#include <stdio.h>

static int complain(struct plan_context *c)
{
	const char *messages;

	fprintf(stderr, "%s\n", plan_message(c));
	if (plan_diagnostics_text(c, PLAN_FORMAT_TEXT, &messages) == PLAN_OK)
		fputs(messages, stderr);
	plan_free(c);
	return 1;
}

int main(int argc, char **argv)
{
	struct plan_context *c = plan_new();
	struct plan_value time, memory;
	char path[200];

	if (!c || argc < 2)
		return 2;
	if (plan_compile_file(c, argv[1]) != PLAN_OK)
		return complain(c);
	for (size_t i = 0; i < plan_job_count(c); i++) {
		const char *job = plan_job_name(c, i);

		snprintf(path, sizeof path, "%s.step.time", job);
		if (plan_evaluate(c, job) != PLAN_OK || plan_read(c, path, &time) != PLAN_OK)
			return complain(c);
		snprintf(path, sizeof path, "%s.memory.peak", job);
		if (plan_read(c, path, &memory) != PLAN_OK)
			return complain(c);
		printf("%s: a step takes %s (%.6f %s), memory reaches %s (%.0f %s)\n", job, time.text,
		       time.number, time.unit, memory.text, memory.number, memory.unit);
	}
	plan_free(c);
	return 0;
}
