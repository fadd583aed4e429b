/* SPDX-License-Identifier: MIT
 * foreign.c - recognise files of formats that gnd does not read. An edge list is any text, so
 * without this a file of XML or JSON would be read as edges between its words. */
#include "foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "gnd.h"
#include "xml.h"

/* Bytes before the first character that is not white space or a byte order mark. */
static size_t skip_blank(const char *s, size_t n)
{
    size_t at = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (at < n && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r'))
        at++;
    return at;
}

bool gnd_looks_like_json(const char *head, size_t n_head)
{
    size_t at = skip_blank(head, n_head);

    if (at < n_head && head[at] == '{')
        return true;
    if (at == n_head || head[at] != '[')
        return false;
    at += 1 + skip_blank(head + at + 1, n_head - at - 1);
    return at == n_head || head[at] == ']' || strchr("{[\"-0123456789", head[at]) != NULL;
}

/* Formats that are recognised by their first bytes or, if word is set, their first word. */
static const struct {
    const char *start, *name, *advice;
    bool word;
} known[] = {
    {"graph [", "GML", "convert it to GraphML, e.g. with networkx or Gephi", true},
    {"Creator ", "GML", "convert it to GraphML, e.g. with networkx or Gephi", true},
    {"graph {", "DOT of Graphviz", "convert it to GraphML, e.g. with networkx", true},
    {"digraph ", "DOT of Graphviz", "convert it to GraphML, e.g. with networkx", true},
    {"strict graph", "DOT of Graphviz", "convert it to GraphML, e.g. with networkx", true},
    {"strict digraph", "DOT of Graphviz", "convert it to GraphML, e.g. with networkx", true},
    {"*vertices", "Pajek", "convert it to GraphML, e.g. with networkx", true},
    {"*network", "Pajek", "convert it to GraphML, e.g. with networkx", true},
    {"nodedef>", "GDF", "convert it to GraphML or CSV, e.g. with Gephi", true},
    {"PAR1", "Parquet", "write it as CSV, e.g. with pandas' to_csv", false},
    {"ARROW1", "Arrow", "write it as CSV, e.g. with pandas' to_csv", false},
    {"\x89HDF", "HDF5", "write it as npz or CSV", false},
    {"SQLite format 3", "SQLite", "export the edges as CSV", false},
    {"%PDF", "PDF", "give a file of edges", false},
};

static bool starts_with(const char *s, size_t n, const char *start)
{
    const size_t k = strlen(start);

    return n >= k && strncasecmp(s, start, k) == 0;
}

bool gnd_foreign_name(char *buf, size_t size, const char *head, size_t n_head)
{
    const size_t at = skip_blank(head, n_head);
    char root[40];

    if (gnd_xml_sniff(root, sizeof root, head, n_head)) {
        gnd_utf8_trim(root);
        gnd_text_mask(root);
        snprintf(buf, size, "looks like XML%s%s%s; of XML, gnd reads GraphML and GEXF",
                 *root ? " with the root <" : "", root, *root ? ">" : "");
        return true;
    }
    if (gnd_looks_like_json(head, n_head)) {
        snprintf(buf, size, "looks like JSON; of JSON, gnd reads the node-link form");
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t from = known[i].word ? at : 0;

        if (starts_with(head + from, n_head - from, known[i].start)) {
            snprintf(buf, size, "looks like %s, which gnd does not read; %s", known[i].name,
                     known[i].advice);
            return true;
        }
    }
    return false;
}
