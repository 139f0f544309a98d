/* planc.c - the program planc. */
#include "cli/command.h"

int main(int argc, char **argv)
{
	return planc_main(argc, argv, NULL);
}
