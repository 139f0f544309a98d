/* common.h - included by every file: standard headers, banned functions, invariant(). */
#ifndef PLAN_BASE_COMMON_H
#define PLAN_BASE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define PLAN_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define PLAN_NORETURN __attribute__((noreturn))
#define PLAN_UNUSED __attribute__((unused))
#else
#define PLAN_PRINTF(fmt, first)
#define PLAN_NORETURN
#define PLAN_UNUSED
#endif

#define PLAN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* We are wrong, not the user: says where, asks for a report, exits with status 70. */
PLAN_NORETURN void invariant_failed(const char *file, int line, const char *what);
#define invariant(cond, what) \
	((cond) ? (void)0 : invariant_failed(__FILE__, __LINE__, (what)))

/* Functions that have cost others dearly: unbounded writes, the locale, hidden state. A file that
 * implements base/ itself defines PLAN_BASE_MALLOC before including this to keep malloc and free,
 * and PLAN_BASE_STRTOD to keep strtod (out_real looks whether its text reads back). */
#if defined(__GNUC__) && !defined(PLAN_GENERATED_CODE)
#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets atoi atol atof setlocale
#ifndef PLAN_BASE_STRTOD
#pragma GCC poison strtod
#endif
#ifndef PLAN_BASE_MALLOC
#pragma GCC poison malloc calloc realloc
#endif
#endif

#endif
