/* SPDX-License-Identifier: MIT
 * help.c - print the help of a command from its table. */
#include "args.h"

#include "gnd.h"

enum { COLUMN = 28 }; /* column of the help texts */

static void option_help(FILE *f, const opt_spec *o)
{
    char head[128], text[512];
    const char *arg = o->arg ? o->arg : o->choices;
    int n;

    n = snprintf(head, sizeof head, "  %s%c%s--%s%s%s", o->letter ? "-" : "",
                 o->letter ? o->letter : ' ', o->letter ? ", " : "   ", o->name, arg ? " " : "",
                 arg ? arg : "");
    if (n >= COLUMN) {
        fprintf(f, "%s\n%*s", head, COLUMN, "");
    } else {
        fprintf(f, "%-*s", COLUMN, head);
    }
    snprintf(text, sizeof text, "%s%s%s%s", o->help, o->fallback ? " (default " : "",
             o->fallback ? o->fallback : "", o->fallback ? ")" : "");
    gnd_text_wrap(f, text, COLUMN, COLUMN);
}

const char *args_graph_help(const command *c)
{
    for (int i = 0; i < MAX_OPERAND_USE; i++)
        if (c->operand_use[i] == USE_DATA)
            return "The graph is a file: an edge list (CSV, TSV, other text), Matrix Market, npz, "
                   "safetensors, GraphML, GEXF, node-link JSON, LINQS or Planetoid; or a folder: "
                   "one with "
                   "edges.csv or Neo4j's relationships.csv, of the Open Graph Benchmark or of "
                   "Geom-GCN; or - for edges from standard input; or the name of a data set. `gnd "
                   "data list` lists data sets and formats.";
    return NULL;
}

void args_help(FILE *f, const command *c)
{
    const char *graph = args_graph_help(c);

    fprintf(f, "gnd %s: %s\n\nusage: gnd %s %s\n", c->name, c->purpose, c->name, c->operands);
    if (c->about) {
        fputc('\n', f);
        gnd_text_wrap(f, c->about, 0, 0);
    }
    if (graph) {
        fputc('\n', f);
        gnd_text_wrap(f, graph, 0, 0);
    }
    for (const opt_spec *o = c->opts; o->help; o++) {
        if (o->type == OPT_GROUP)
            fprintf(f, "\n%s:\n", o->help);
        else
            option_help(f, o);
    }
    if (c->examples)
        fprintf(f, "\nexamples:\n%s", c->examples);
}
