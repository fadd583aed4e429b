/* SPDX-License-Identifier: MIT
 * csv_columns.c - names of columns that gnd knows, among them those of Gephi and Neo4j, and the
 * columns that the user states. */
#include "csv_columns.h"

#include <string.h>

#include "base/status.h"

static const char *const role_name[GND_N_ROLE] = {
    "source", "target", "weight", "type", "id", "label", "probability",
};
static const char *const kind_name[] = {"edges", "labels", "features"};
enum { N_KIND = sizeof kind_name / sizeof kind_name[0] };

const char *gnd_role_name(gnd_role role)
{
    return role_name[role];
}

const char *gnd_csv_kind_name(gnd_csv_kind kind)
{
    return kind_name[kind];
}

bool gnd_role_used(gnd_role role, gnd_csv_kind kind)
{
    if (kind == GND_CSV_EDGES)
        return role <= GND_ROLE_TYPE;
    return role == GND_ROLE_ID || role == GND_ROLE_LABEL ||
           (role == GND_ROLE_PROBABILITY && kind == GND_CSV_LABELS);
}

bool gnd_role_required(gnd_role role, gnd_csv_kind kind)
{
    if (kind == GND_CSV_EDGES)
        return role == GND_ROLE_SOURCE || role == GND_ROLE_TARGET;
    return role == GND_ROLE_ID || (role == GND_ROLE_LABEL && kind == GND_CSV_LABELS);
}

/* ---- known names ---- */

/* Names in lower case, without blanks and punctuation. rank as in gnd_column_rank; plain: see
 * gnd_column_is_plain. */
static const struct {
    const char *name;
    gnd_role role;
    int rank;
    bool plain;
} known[] = {
    {"source", GND_ROLE_SOURCE, 1, true},
    {"src", GND_ROLE_SOURCE, 1, true},
    {"from", GND_ROLE_SOURCE, 1, true},
    {"sourceid", GND_ROLE_SOURCE, 1, false},
    {"srcid", GND_ROLE_SOURCE, 1, false},
    {"fromid", GND_ROLE_SOURCE, 1, false},
    {"fromnode", GND_ROLE_SOURCE, 1, false},
    {"fromnodeid", GND_ROLE_SOURCE, 1, false},
    {"sourcenode", GND_ROLE_SOURCE, 1, false},
    {"start", GND_ROLE_SOURCE, 1, false},
    {"startid", GND_ROLE_SOURCE, 1, false},
    {"node1", GND_ROLE_SOURCE, 1, false},
    {"nodea", GND_ROLE_SOURCE, 1, false},
    {"vertex1", GND_ROLE_SOURCE, 1, false},
    {"id1", GND_ROLE_SOURCE, 1, false},
    {"user1", GND_ROLE_SOURCE, 1, false},
    {"person1", GND_ROLE_SOURCE, 1, false},
    {"citing", GND_ROLE_SOURCE, 1, false},
    {"follower", GND_ROLE_SOURCE, 1, false},
    {"sender", GND_ROLE_SOURCE, 1, false},
    {"target", GND_ROLE_TARGET, 1, true},
    {"dst", GND_ROLE_TARGET, 1, true},
    {"to", GND_ROLE_TARGET, 1, true},
    {"targetid", GND_ROLE_TARGET, 1, false},
    {"dstid", GND_ROLE_TARGET, 1, false},
    {"toid", GND_ROLE_TARGET, 1, false},
    {"tonode", GND_ROLE_TARGET, 1, false},
    {"tonodeid", GND_ROLE_TARGET, 1, false},
    {"targetnode", GND_ROLE_TARGET, 1, false},
    {"dest", GND_ROLE_TARGET, 1, false},
    {"destination", GND_ROLE_TARGET, 1, false},
    {"end", GND_ROLE_TARGET, 1, false},
    {"endid", GND_ROLE_TARGET, 1, false},
    {"node2", GND_ROLE_TARGET, 1, false},
    {"nodeb", GND_ROLE_TARGET, 1, false},
    {"vertex2", GND_ROLE_TARGET, 1, false},
    {"id2", GND_ROLE_TARGET, 1, false},
    {"user2", GND_ROLE_TARGET, 1, false},
    {"person2", GND_ROLE_TARGET, 1, false},
    {"cited", GND_ROLE_TARGET, 1, false},
    {"followee", GND_ROLE_TARGET, 1, false},
    {"receiver", GND_ROLE_TARGET, 1, false},
    {"recipient", GND_ROLE_TARGET, 1, false},
    {"weight", GND_ROLE_WEIGHT, 1, true},
    {"weights", GND_ROLE_WEIGHT, 1, false},
    {"edgeweight", GND_ROLE_WEIGHT, 1, false},
    {"w", GND_ROLE_WEIGHT, 1, false},
    {"wt", GND_ROLE_WEIGHT, 1, false},
    {"type", GND_ROLE_TYPE, 1, false},
    {"id", GND_ROLE_ID, 1, true},
    {"nodeid", GND_ROLE_ID, 1, false},
    {"node", GND_ROLE_ID, 1, false},
    {"vertexid", GND_ROLE_ID, 1, false},
    {"vertex", GND_ROLE_ID, 1, false},
    {"name", GND_ROLE_ID, 2, false},
    {"key", GND_ROLE_ID, 2, false},
    {"user", GND_ROLE_ID, 2, false},
    {"userid", GND_ROLE_ID, 2, false},
    {"person", GND_ROLE_ID, 2, false},
    {"personid", GND_ROLE_ID, 2, false},
    {"paper", GND_ROLE_ID, 2, false},
    {"paperid", GND_ROLE_ID, 2, false},
    {"item", GND_ROLE_ID, 2, false},
    {"itemid", GND_ROLE_ID, 2, false},
    {"label", GND_ROLE_LABEL, 1, true},
    {"class", GND_ROLE_LABEL, 1, true},
    {"labelid", GND_ROLE_LABEL, 1, false},
    {"classid", GND_ROLE_LABEL, 1, false},
    {"labelname", GND_ROLE_LABEL, 1, false},
    {"classname", GND_ROLE_LABEL, 1, false},
    {"community", GND_ROLE_LABEL, 1, false},
    {"communityid", GND_ROLE_LABEL, 1, false},
    {"modularityclass", GND_ROLE_LABEL, 1, false},
    {"group", GND_ROLE_LABEL, 1, false},
    {"groupid", GND_ROLE_LABEL, 1, false},
    {"cluster", GND_ROLE_LABEL, 1, false},
    {"clusterid", GND_ROLE_LABEL, 1, false},
    {"category", GND_ROLE_LABEL, 1, false},
    {"subject", GND_ROLE_LABEL, 1, false},
    {"topic", GND_ROLE_LABEL, 1, false},
    {"y", GND_ROLE_LABEL, 2, false},
    {"probability", GND_ROLE_PROBABILITY, 1, true},
};
enum { N_KNOWN = sizeof known / sizeof known[0], NAME_MAX_KNOWN = 24 };

/* What Neo4j's header states after a colon: ":ID(User)", ":START_ID", "name:string". The colon and
 * what follows is cut off. Returns the role, GND_N_ROLE for none, -1 if nothing is stated or only a
 * type. */
static int neo4j_role(gnd_csv_field *name)
{
    static const struct {
        const char *word;
        int role;
    } stated[] = {
        {"START_ID", GND_ROLE_SOURCE},
        {"END_ID", GND_ROLE_TARGET},
        {"ID", GND_ROLE_ID},
        {"LABEL", GND_ROLE_LABEL},
        {"TYPE", GND_N_ROLE},
        {"IGNORE", GND_N_ROLE},
        {"int", -1},
        {"long", -1},
        {"float", -1},
        {"double", -1},
        {"boolean", -1},
        {"byte", -1},
        {"short", -1},
        {"char", -1},
        {"string", -1},
    };
    const char *colon = name->len ? memchr(name->s, ':', name->len) : NULL, *open;
    gnd_csv_field after;

    if (!colon)
        return -1;
    after = (gnd_csv_field){.s = colon + 1, .len = name->len - (size_t)(colon + 1 - name->s)};
    open = after.len ? memchr(after.s, '(', after.len) : NULL;
    if (open)
        after.len = (size_t)(open - after.s);
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; i++)
        if (gnd_field_equals(after, stated[i].word)) {
            name->len = (size_t)(colon - name->s);
            return stated[i].role;
        }
    return -1;
}

/* The name in lower case, letters and digits only; false if it is longer than any known name. */
static bool simplify(char buf[NAME_MAX_KNOWN], gnd_csv_field name)
{
    size_t n = 0;

    for (size_t i = 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.s[i];
        const bool upper = c >= 'A' && c <= 'Z';

        if (!upper && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c < 0x80)
            continue;
        if (n + 1 == NAME_MAX_KNOWN)
            return false;
        buf[n++] = (char)(upper ? c - 'A' + 'a' : c);
    }
    buf[n] = '\0';
    return true;
}

static int find_known(gnd_role role, gnd_csv_field name)
{
    char buf[NAME_MAX_KNOWN];

    if (!simplify(buf, name))
        return -1;
    for (int i = 0; i < N_KNOWN; i++)
        if (known[i].role == role && strcmp(known[i].name, buf) == 0)
            return i;
    return -1;
}

int gnd_column_rank(gnd_role role, gnd_csv_field name)
{
    const int stated = neo4j_role(&name);
    int i;

    if (stated >= 0)
        return stated == (int)role;
    /* pandas writes an index without a name, or reads and writes it again as "Unnamed: 0" */
    if (role == GND_ROLE_ID &&
        (name.len == 0 || (name.len >= 8 && memcmp(name.s, "Unnamed:", 8) == 0)))
        return 3;
    i = find_known(role, name);
    return i >= 0 ? known[i].rank : 0;
}

bool gnd_column_is_plain(gnd_role role, gnd_csv_field name)
{
    const int i = find_known(role, name);

    return i >= 0 && known[i].plain && strlen(known[i].name) == name.len;
}

bool gnd_column_is_own(gnd_csv_field name)
{
    return gnd_field_equals(name, "why") || gnd_field_equals(name, "status") ||
           gnd_field_equals(name, "probability") || (name.len > 2 && memcmp(name.s, "p_", 2) == 0);
}

/* ---- stated columns ---- */

static gnd_status bad_entry(const char *s, size_t len, gnd_error *err)
{
    char show[GND_SHOWN];

    return gnd_fail(err, GND_ERR_ARG,
                    "--columns: got '%s'; expected role=column, with a role out of source, target, "
                    "weight, type, id, label, or labels.id=column for one kind of file",
                    gnd_field_show(show, (gnd_csv_field){.s = s, .len = len}));
}

/* Parse "role" or "kind.role". *kind: N_KIND if there is none. */
static bool parse_role(int *kind, gnd_role *role, gnd_csv_field key)
{
    const char *dot = key.len ? memchr(key.s, '.', key.len) : NULL;
    int k = 0, r = 0;

    if (dot) {
        const gnd_csv_field of = {.s = key.s, .len = (size_t)(dot - key.s)};

        while (k < N_KIND && !gnd_field_equals(of, kind_name[k]))
            k++;
        if (k == N_KIND)
            return false;
        key = (gnd_csv_field){.s = dot + 1, .len = key.len - of.len - 1};
    }
    while (r < GND_ROLE_PROBABILITY && !gnd_field_equals(key, role_name[r]))
        r++;
    *kind = dot ? k : N_KIND;
    *role = (gnd_role)r;
    return r < GND_ROLE_PROBABILITY && (!dot || gnd_role_used(*role, (gnd_csv_kind)k));
}

/* The value of an entry: up to the next comma, or in quotes. Returns the place after it; NULL: a
 * quote is not closed, or the value is too long. */
static const char *parse_value(char out[GND_COLUMN_NAME], const char *s)
{
    const bool quoted = *s == '"';
    bool closed = !quoted;
    size_t n = 0;

    for (s += quoted; *s && (quoted || *s != ','); s++) {
        if (quoted && *s == '"' && *++s != '"') {
            closed = true;
            break;
        }
        if (n + 1 == GND_COLUMN_NAME)
            return NULL;
        out[n++] = *s;
    }
    out[n] = '\0';
    return closed ? s : NULL;
}

gnd_status gnd_stated_columns_get(gnd_stated_columns *out, const char *columns, gnd_csv_kind kind,
                                  gnd_error *err)
{
    bool exact[GND_N_ROLE] = {false}; /* stated for this kind of file, which counts more */
    const char *s = columns;

    *out = (gnd_stated_columns){0};
    while (s && *s) {
        const char *end = strchr(s, '='), *next;
        char value[GND_COLUMN_NAME];
        gnd_role role;
        int of;

        if (!end || !parse_role(&of, &role, (gnd_csv_field){.s = s, .len = (size_t)(end - s)}))
            return bad_entry(s, strcspn(s, ","), err);
        next = parse_value(value, end + 1);
        if (!next || (*next && (*next != ',' || !next[1])))
            return bad_entry(s, strlen(s), err);
        if ((of == N_KIND ? gnd_role_used(role, kind) && !exact[role] : of == (int)kind)) {
            exact[role] = of != N_KIND;
            out->given[role] = true;
            memcpy(out->name[role], value, sizeof value);
        }
        s = *next ? next + 1 : next;
    }
    return GND_OK;
}
