/* compilation.h - text to a program that can be evaluated with the cost model: what the commands of
 * planc and the functions of libplan have in common. */
#ifndef PLAN_SHARED_COMPILATION_H
#define PLAN_SHARED_COMPILATION_H

#include "compiler/check/compile.h"
#include "runtime/bind/job.h"

/* Compiles and makes an evaluator with the cost model installed. `in->library` is set here. NULL when
 * there is an error: the sink of the input says which, in->library_folder without a library included.
 * Program and evaluator live in the arena of the input. */
struct ir_program *compilation_make(struct compile_input *in, struct eval *ev);

/* An evaluator in the same state as a new one: nothing computed, nothing reported. */
void compilation_evaluator(struct compile_input *in, const struct ir_program *p, struct eval *ev);

/* True when an error is about a file that the caller named, and not about the content of a plan: the
 * root file, a library folder, a file of another tool. */
bool compilation_lacks_file(const struct diag_sink *sink);

/* Evaluates the job of a global, with another preset of `profile` unless that is empty. The rules of a
 * job are tested where `with_rules` says so, and always under another profile. NULL after a
 * message, and when there is no profile of that name. */
const struct job *compilation_job(struct eval *ev, uint32_t global, struct str profile, bool with_rules);

#endif
