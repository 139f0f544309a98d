/* junit.h - results of tests as the XML that build servers read: a suite for each plan. */
#ifndef PLAN_CLI_JUNIT_H
#define PLAN_CLI_JUNIT_H

#include "compiler/base/out.h"

void junit_suite(struct out *o, struct str plan);

/* One result; `failure` is the text of its messages, empty when it passed. */
void junit_case(struct out *o, struct str title, struct str plan, struct str failure);
void junit_suite_end(struct out *o);

/* The document around suites written before. */
void junit_document(struct out *o, struct str suites);

#endif
