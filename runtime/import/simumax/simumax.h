/* simumax.h - SimuMax's three JSON files as plan source.
 *
 * The importer does not build records: it writes the text of a plan that states what the files
 * say (a gpu, a cluster, a model, and one job named `imported`), and a table that maps each
 * written value to the JSON value it came from. Compiled with that table, every later message (a
 * broken rule of the prelude, a field that the engine does not model) points into the JSON file.
 * The same text is what `planc import simumax` prints.
 *
 *	struct import_text t;
 *	if (import_simumax(&in, &t)) {
 *		compile.path = STR("simumax.plan");
 *		compile.text = out_view(&t.text);
 *		compile.origins = t.origins.at;
 *		compile.origin_count = t.origins.n;
 *	}
 */
#ifndef PLAN_SIMUMAX_SIMUMAX_H
#define PLAN_SIMUMAX_SIMUMAX_H

#include "compiler/base/vec.h"
#include "compiler/diag/diag.h"
#include "compiler/source/foreign_reader.h"

struct simumax_input {
	struct arena *arena;
	struct sources *sources; /* the three files are added here */
	struct diag_sink *sink;
	struct str model, strategy, system; /* paths as the user named them */
	struct str profile; /* preset of the prelude's `profile`; empty = "simumax" */
};

/* Reads, checks and translates. Messages go to the sink: a file that cannot be read (E0201,
 * E0207), broken JSON (E0208), content that cannot be used (E0209), fields without a counterpart
 * (W2511). All mistakes of the three files are reported, not only the first. false: nothing
 * usable was written. */
bool import_simumax(const struct simumax_input *in, struct import_text *result);

#endif
