/* help.c - the texts of --help, made from the tables of commands and options. */
#include "cli/command.h"

static void print_option(struct out *o, const struct option_info *info)
{
	struct out head;

	out_init(&head, o->arena);
	if (info->letter)
		out_printf(&head, "-%c, ", info->letter);
	out_text(&head, info->name);
	if (info->values > 0)
		out_printf(&head, " %s", info->value_names);
	out_text(o, "  ");
	out_bytes(o, head.p, head.n);
	if (head.n > 24) {
		out_char(o, '\n');
		out_repeat(o, ' ', 28);
	} else {
		out_repeat(o, ' ', 26 - (uint32_t)head.n);
	}
	out_printf(o, "%s\n", info->help);
}

static void print_command_help(struct out *o, const struct command *c)
{
	out_printf(o, "usage: planc %s", c->name);
	if (c->options)
		out_text(o, " [options]");
	if (c->operands[0])
		out_printf(o, " %s", c->operands);
	if (c->options & OPTION_BIT(OPTION_SIMUMAX))
		out_printf(o, "\n       planc %s [options] --simumax %s", c->name,
			   option_table[OPTION_SIMUMAX].value_names);
	out_printf(o, "\n\n%s\n\noptions:\n", c->details);
	for (int i = 0; i < OPTION_COUNT; i++)
		if (i == OPTION_HELP || c->options & OPTION_BIT(i))
			print_option(o, &option_table[i]);
}

void help_print(struct out *o, const struct command *command)
{
	if (command) {
		print_command_help(o, command);
		return;
	}
	out_text(o, "planc reads plans for training large language models: what fits, how fast it is, and\n"
		    "what has to be written to run it.\n\n"
		    "usage: planc COMMAND [options] ...\n\ncommands:\n");
	for (const struct command *c = commands; c->name; c++)
		out_printf(o, "  %-13s%s\n", c->name, c->summary);
	out_text(o, "  help         the options of a command: planc help report\n\n"
		    "exit codes: 0 fine, 1 errors in the plan or failed tests, 2 something differs,\n"
		    "3 nothing is feasible, 4 usage or files, 70 a fault in planc\n");
}
