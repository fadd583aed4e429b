/* SPDX-License-Identifier: MIT
 * csv_roles.c - assign the columns of a table to roles: as the user states, by the names of the
 * header, or by position. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "csv_table_priv.h"

enum { LIST = 240 };

/* The names of the columns, for a message; without a header how many there are. */
static const char *columns_list(char buf[LIST], const gnd_csv_table *c)
{
    char one[GND_SHOWN + 2];
    size_t n = 0;

    if (c->header == GND_NO_HEADER) {
        snprintf(buf, LIST, "there are %lld columns and no header", (long long)c->width);
        return buf;
    }
    n = (size_t)snprintf(buf, LIST, "the columns are ");
    for (int64_t k = 0; k < c->width; k++) {
        gnd_csv_table_column(one, c, k);
        if (n + strlen(one) + 8 > LIST) {
            snprintf(buf + n, LIST - n, "%s", ", ...");
            break;
        }
        n += (size_t)snprintf(buf + n, LIST - n, "%s%s", k ? ", " : "", one);
    }
    return buf;
}

static gnd_status fail_at_first(const gnd_csv_table *c, gnd_error *err, const char *msg)
{
    return gnd_fail(err, GND_ERR_FORMAT, "%s:%lld: %s", c->text->path, (long long)c->first, msg);
}

int64_t gnd_csv_named_column(const gnd_csv_table *c, const char *name)
{
    const gnd_csv_field want = {.s = name, .len = strlen(name)};

    for (int64_t k = 0; k < c->width && want.len > 0; k++)
        if (gnd_field_equals(c->name[k], name))
            return k;
    return -1;
}

/* Number of columns with data. */
static int64_t n_column(const gnd_csv_table *c)
{
    return c->width - c->trailing;
}

static bool is_taken(const gnd_csv_table *c, int64_t column)
{
    for (int r = 0; r < GND_N_ROLE; r++)
        if (c->at[r] == column)
            return true;
    return false;
}

/* The columns that the user states. */
static gnd_status assign_stated(gnd_csv_table *c, const gnd_stated_columns *stated, gnd_error *err)
{
    char list[LIST], msg[2 * LIST], show[GND_SHOWN];

    for (int r = 0; r < GND_N_ROLE; r++) {
        const char *name = stated->name[r];
        int64_t k = -1;
        int32_t number;

        if (!stated->given[r])
            continue;
        c->stated[r] = true;
        if (!name[0] && gnd_role_required((gnd_role)r, c->kind))
            return gnd_fail(err, GND_ERR_ARG, "%s: --columns gives the %s no column", c->text->path,
                            gnd_role_name((gnd_role)r));
        if (!name[0])
            continue;
        if (c->header != GND_NO_HEADER)
            k = gnd_csv_named_column(c, name);
        if (k < 0 && gnd_field_vertex(&number, (gnd_csv_field){.s = name, .len = strlen(name)}) &&
            number >= 1 && number <= c->width)
            k = number - 1;
        gnd_field_show(show, (gnd_csv_field){.s = name, .len = strlen(name)});
        if (k < 0) {
            snprintf(msg, sizeof msg, "there is no column '%s' for the %s (--columns); %s", show,
                     gnd_role_name((gnd_role)r), columns_list(list, c));
            return fail_at_first(c, err, msg);
        }
        if (is_taken(c, k)) {
            snprintf(msg, sizeof msg, "--columns gives column '%s' two roles", show);
            return fail_at_first(c, err, msg);
        }
        c->at[r] = k;
    }
    return GND_OK;
}

/* The column whose name has the role; *other: a second one of the same rank, or -1. */
static int64_t find_named(int64_t *other, const gnd_csv_table *c, gnd_role role)
{
    int best = 0;
    int64_t found = -1;

    *other = -1;
    for (int64_t k = 0; k < n_column(c); k++) {
        const int rank = is_taken(c, k) ? 0 : gnd_column_rank(role, c->name[k]);

        if (rank == 0 || (best && rank > best))
            continue;
        *other = rank == best ? k : -1;
        if (rank != best)
            found = k;
        best = rank;
    }
    return found;
}

static gnd_status two_columns(const gnd_csv_table *c, gnd_role role, int64_t a, int64_t b,
                              gnd_error *err)
{
    char x[GND_SHOWN + 2], y[GND_SHOWN + 2], msg[2 * LIST];

    snprintf(msg, sizeof msg,
             "columns %s and %s may both be the %s; name one with --columns %s=...",
             gnd_csv_table_column(x, c, a), gnd_csv_table_column(y, c, b), gnd_role_name(role),
             gnd_role_name(role));
    return fail_at_first(c, err, msg);
}

static gnd_status no_column(const gnd_csv_table *c, gnd_role role, gnd_error *err)
{
    char list[LIST], msg[2 * LIST];
    const char *example = c->kind == GND_CSV_EDGES    ? "source=1,target=2"
                          : c->kind == GND_CSV_LABELS ? "id=1,label=2"
                                                      : "id=1";

    snprintf(msg, sizeof msg,
             "it is not clear which column is the %s; %s; name the columns, such as --columns %s",
             gnd_role_name(role), columns_list(list, c), example);
    return fail_at_first(c, err, msg);
}

/* Has the column certainly no role: an index without a name, or one of gnd's own columns? */
static bool is_other(const gnd_csv_table *c, int64_t column)
{
    return c->name[column].len == 0 || gnd_column_is_own(c->name[column]);
}

/* Give the required roles that have no column the columns that are left, if there are as many. */
static gnd_status assign_left(gnd_csv_table *c, gnd_error *err)
{
    int64_t n_lack = 0, n_free = 0, n_unknown = 0, k = 0;
    int lack = -1;

    for (int r = GND_N_ROLE - 1; r >= 0; r--)
        if (gnd_role_required((gnd_role)r, c->kind) && c->at[r] < 0) {
            n_lack++;
            lack = r;
        }
    for (int64_t i = 0; i < n_column(c); i++) {
        n_free += !is_taken(c, i);
        n_unknown += !is_taken(c, i) && !is_other(c, i);
    }
    if (n_lack == 0)
        return GND_OK;
    if (n_free != n_lack && n_unknown != n_lack)
        return no_column(c, (gnd_role)lack, err);
    for (int r = 0; r < GND_N_ROLE; r++) {
        if (!gnd_role_required((gnd_role)r, c->kind) || c->at[r] >= 0)
            continue;
        while (is_taken(c, k) || (n_free != n_lack && is_other(c, k)))
            k++;
        c->at[r] = k;
    }
    return GND_OK;
}

static gnd_status assign_by_name(gnd_csv_table *c, gnd_error *err)
{
    int64_t other;
    gnd_status st = GND_OK;

    for (int r = 0; r < GND_N_ROLE; r++) {
        const gnd_role role = (gnd_role)r;

        /* The labels among features: gnd_csv_table_is_free leaves them out. */
        if (c->stated[r] || !gnd_role_used(role, c->kind) ||
            (c->kind == GND_CSV_FEATURES && role == GND_ROLE_LABEL))
            continue;
        c->at[r] = find_named(&other, c, role);
        if (c->at[r] < 0 || other < 0)
            continue;
        if (role != GND_ROLE_TYPE && role != GND_ROLE_PROBABILITY)
            GND_TRY(two_columns(c, role, c->at[r], other, err));
        c->at[r] = -1;
    }
    /* features: the id comes first if no name says otherwise */
    if (c->kind == GND_CSV_FEATURES && c->at[GND_ROLE_ID] < 0 && !is_taken(c, 0))
        c->at[GND_ROLE_ID] = 0;
    GND_TRY(assign_left(c, err));
out:
    return st;
}

/* Without a header: source, target and weight, id and label, id and features. */
static gnd_status assign_by_position(gnd_csv_table *c, gnd_error *err)
{
    static const int64_t place[GND_N_ROLE] = {0, 1, 2, -1, 0, 1, -1};
    const int64_t most = c->kind == GND_CSV_EDGES ? 3 : 2;
    bool any = c->kind == GND_CSV_FEATURES;

    for (int r = 0; r < GND_N_ROLE; r++)
        any |= c->stated[r] && c->at[r] >= 0;
    if (!any && n_column(c) > most)
        return no_column(c, c->kind == GND_CSV_EDGES ? GND_ROLE_SOURCE : GND_ROLE_LABEL, err);
    for (int r = 0; r < GND_N_ROLE; r++) {
        const gnd_role role = (gnd_role)r;

        if (c->at[r] >= 0 || c->stated[r] || !gnd_role_used(role, c->kind))
            continue;
        if (gnd_role_required(role, c->kind)) {
            if (place[r] >= n_column(c) || is_taken(c, place[r]))
                return no_column(c, role, err);
            c->at[r] = place[r];
        } else if (role == GND_ROLE_WEIGHT && n_column(c) == most && !is_taken(c, place[r])) {
            c->at[r] = place[r];
        }
    }
    return GND_OK;
}

gnd_status gnd_csv_assign_roles(gnd_csv_table *c, const gnd_stated_columns *stated, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int r = 0; r < GND_N_ROLE; r++)
        c->at[r] = -1;
    GND_TRY(assign_stated(c, stated, err));
    GND_TRY(c->header != GND_NO_HEADER ? assign_by_name(c, err) : assign_by_position(c, err));
out:
    return st;
}
