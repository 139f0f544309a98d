/* importer.c - the tables of readers. */
#include "runtime/import/importer.h"

static bool read_simumax(const struct import_input *in, struct import_text *result)
{
	const struct simumax_input files = {
		.arena = in->arena,
		.sources = in->sources,
		.sink = in->sink,
		.model = str_of(in->paths[0]),
		.strategy = str_of(in->paths[1]),
		.system = str_of(in->paths[2]),
	};

	return import_simumax(&files, result);
}

const struct importer importers[] = {
	{ "simumax", "MODEL STRATEGY SYSTEM", 3, 3, read_simumax },
	{ "huggingface", "CONFIG", 1, 1, import_huggingface },
	{ "megatron", "SCRIPT", 1, 1, import_megatron },
	{ "deepspeed", "CONFIG", 1, 1, import_deepspeed },
	{ "llamafactory", "CONFIG [DEEPSPEED]", 1, 2, import_llamafactory },
	{ NULL, NULL, 0, 0, NULL },
};

const struct foreign_reader foreign_readers[] = {
	{ "huggingface.model", huggingface_model },
	{ "simumax.model", simumax_model },
	{ "simumax.strategy", simumax_strategy },
	{ "simumax.system", simumax_system },
	{ NULL, NULL },
};

const struct importer *importer_find(const char *name)
{
	for (const struct importer *i = importers; i->name; i++)
		if (strcmp(i->name, name) == 0)
			return i;
	return NULL;
}
