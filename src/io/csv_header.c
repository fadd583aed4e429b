/* SPDX-License-Identifier: MIT
 * csv_header.c - decide whether the first row of a table is a header.
 *
 * It is one if it has the names of columns, or text in a column that has only numbers below. A row
 * with a number is data, as is one whose id is a vertex or is written like the ids below it. What
 * remains is text above text, which may be both. */
#include <string.h>

#include "base/status.h"
#include "csv_table_priv.h"

/* Does a name of the role occur in the first row? A name with a digit, such as node1, does not
 * count if the values below are written like it. */
static bool has_role(const gnd_csv_sample *s, gnd_role role)
{
    for (int64_t k = 0; k < s->width; k++)
        if (gnd_column_rank(role, s->first[k]) > 0 && !gnd_csv_first_is_like(s, k))
            return true;
    return false;
}

/* Do the columns after the first have the names 0, 1, 2, ..., as pandas names them? */
static bool is_counted(const gnd_csv_sample *s)
{
    int32_t number;

    for (int64_t k = 1; k < s->width; k++)
        if (!gnd_field_vertex(&number, s->first[k]) || number != k - 1)
            return false;
    return s->width > 2 && !gnd_csv_first_is_number(s, 0);
}

/* Has the first column no name and do all others have one, as R and pandas write an index? A row
 * without an id is no data. */
static bool has_index(const gnd_csv_sample *s)
{
    for (int64_t k = 1; k < s->width; k++)
        if (!gnd_csv_first_is_text(s, k))
            return false;
    return s->width > 1 && s->first[0].len == 0 && s->n_row > 0;
}

static bool has_names(const gnd_csv_sample *s, gnd_csv_kind kind)
{
    bool words = false;

    if (has_index(s))
        return true;
    if (kind == GND_CSV_EDGES)
        return has_role(s, GND_ROLE_SOURCE) && has_role(s, GND_ROLE_TARGET);
    if (kind == GND_CSV_LABELS)
        return has_role(s, GND_ROLE_ID) && has_role(s, GND_ROLE_LABEL);
    for (int64_t k = 0; k < s->width; k++)
        words |= gnd_csv_first_is_text(s, k) && gnd_column_rank(GND_ROLE_ID, s->first[k]) == 0;
    return has_role(s, GND_ROLE_ID) &&
           (words || (is_counted(s) && (s->first[0].len == 0 || gnd_csv_below_is_number(s, 0))));
}

/* Text above numbers, and no number in the first row. */
static bool differs(const gnd_csv_sample *s)
{
    bool text = false;

    for (int64_t k = 0; k < s->width; k++) {
        if (gnd_csv_first_is_number(s, k))
            return is_counted(s) && gnd_csv_below_is_number(s, 0);
        text |= gnd_csv_first_is_text(s, k) && gnd_csv_below_is_number(s, k);
    }
    return text;
}

/* Is the first row text above text, where nothing tells a name from a value? */
static bool is_doubtful(const gnd_csv_sample *s, gnd_csv_kind kind)
{
    const int64_t n_id = kind == GND_CSV_EDGES ? 2 : 1; /* columns of ids */

    if (kind == GND_CSV_FEATURES && is_counted(s))
        return true;
    if (kind == GND_CSV_EDGES && s->n_row == 0) /* one edge: a header alone is no graph */
        return false;
    for (int64_t k = 0; k < s->width; k++)
        if (gnd_csv_first_is_number(s, k) ||
            (k < n_id && (s->first[k].len == 0 || gnd_csv_first_is_like(s, k))))
            return false;
    return s->width > 1;
}

/* Does the row begin as the files that gnd writes: id,label or id? It is then a header even if
 * there is a vertex "id". */
static bool is_plain(const gnd_csv_sample *s, gnd_csv_kind kind)
{
    return gnd_field_equals(s->first[0], "id") &&
           (kind != GND_CSV_LABELS || gnd_column_is_plain(GND_ROLE_LABEL, s->first[1]));
}

gnd_status gnd_csv_decide_header(gnd_csv_table *c, const gnd_csv_sample *s, gnd_header option,
                                 const gnd_stated_columns *stated, const gnd_csv_ids *ids,
                                 gnd_error *err)
{
    const bool is_vertex = ids && ids->has(ids->user, s->first[0]);
    bool named = false;
    int32_t number;

    c->header = option == GND_HEADER_YES ? GND_HEADER_STATED : GND_NO_HEADER;
    if (option != GND_HEADER_AUTO)
        return GND_OK;
    for (int r = 0; r < GND_N_ROLE; r++)
        named |= stated->given[r] && gnd_csv_named_column(c, stated->name[r]) >= 0 &&
                 !gnd_field_vertex(&number, (gnd_csv_field){.s = stated->name[r],
                                                            .len = strlen(stated->name[r])});
    if (named || has_names(s, c->kind)) {
        c->header = GND_HEADER_BY_NAMES;
        if (!named && is_vertex && !differs(s) && !is_plain(s, c->kind))
            return gnd_csv_table_doubt(c, "it names columns, but the graph has a vertex of that id",
                                       err);
    } else if (differs(s) && !is_vertex) {
        c->header = GND_HEADER_BY_TYPES;
    } else {
        c->doubtful = is_doubtful(s, c->kind) && !is_vertex;
    }
    return GND_OK;
}
