/* SPDX-License-Identifier: MIT
 * test_csv_table.c - tables as people have them: headers, separators, decimal commas, columns in
 * any order; what is decided is noted, what may be two things is refused. */
#include "textfiles.h"

#include "io/csv_table.h"

/* A file, options, and the rows that are read: the fields of all roles in brackets. */
typedef struct {
    const char *text;
    gnd_csv_kind kind;
    gnd_load_opts o;
    const char *rows; /* NULL: refused */
    const char *say;  /* a part of the notes, all of them joined, or of the error; "": no note */
} example;

#define E GND_CSV_EDGES
#define L GND_CSV_LABELS
#define F GND_CSV_FEATURES

static bool has_ann(const void *user, gnd_csv_field id)
{
    (void)user;
    return gnd_field_equals(id, "ann") || gnd_field_equals(id, "id") ||
           gnd_field_equals(id, "node");
}

static void rows_print(char *buf, size_t size, gnd_csv_table *c)
{
    gnd_error err = {0};
    bool more = true;

    for (;;) {
        CHECK_OK(gnd_csv_table_next(c, &more, &err));
        if (!more)
            return;
        for (int r = 0; r < GND_N_ROLE; r++)
            if (c->at[r] >= 0) {
                const gnd_csv_field f = gnd_csv_table_get(c, (gnd_role)r);

                snprintf(buf + strlen(buf), size - strlen(buf), "[%.*s]", (int)f.len, f.s);
            }
        for (int64_t k = 0; k < c->width; k++)
            if (c->kind == GND_CSV_FEATURES && gnd_csv_table_is_free(c, k))
                snprintf(buf + strlen(buf), size - strlen(buf), "(%.*s)", (int)c->field[k].len,
                         c->field[k].s);
        snprintf(buf + strlen(buf), size - strlen(buf), "%s", " ");
    }
}

static void check_one(const example *x)
{
    const gnd_csv_ids ids = {has_ann, NULL};
    char rows[512] = "", notes[2048] = "";
    gnd_graph *g = NULL;
    gnd_csv_table c;
    gnd_text t;
    gnd_error err = {0};
    gnd_status st;

    CHECK_OK(gnd_graph_new(&g, "g", 0, &err));
    CHECK_OK(gnd_text_open_lines(&t, put("t.csv", x->text), 0, &err));
    st = gnd_csv_table_start(&c, &t, x->kind, &x->o, x->kind == GND_CSV_EDGES ? NULL : &ids, &err);
    if (st == GND_OK) {
        rows_print(rows, sizeof rows, &c);
        if (c.doubtful)
            snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "?");
        CHECK_OK(gnd_csv_table_notes(&c, g, &err));
        for (int64_t i = 0; i < g->notes.n; i++)
            snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%s: %s\n",
                     g->notes.list[i].code, g->notes.list[i].text);
    }
    if (!x->rows != (st != GND_OK) || (x->rows && strcmp(rows, x->rows) != 0) ||
        !strstr(st == GND_OK ? notes : err.msg, x->say) || (st == GND_OK && !*x->say && *notes))
        fail_msg("%s\ngave %s\n%s%s\nexpected %s\n%s", x->text, rows, notes, err.msg,
                 x->rows ? x->rows : "an error", x->say);
    gnd_csv_table_fini(&c);
    gnd_text_close(&t);
    gnd_graph_free(g);
}

#define CHECK_ALL(list)                                                                            \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)                                     \
    check_one(&(list)[i])

static void test_headers(void **state)
{
    static const example list[] = {
        {"source,target\na,b\n", E, {0}, "[a][b] ", ""},
        {"From,To,WEIGHT\na,b,2\n", E, {0}, "[a][b][2] ", ""},
        {"node1,node2\nann,bob\n", E, {0}, "[ann][bob] ", "header_read: "},
        {"node1,node2\nnode7,node8\n", E, {0}, "[node1][node2] [node7][node8] ", ""},
        {"src,dst,w\n1,2,0.5\n", E, {0}, "[1][2][0.5] ", "weight is 'w'"},
        {"a,b\n1,2\n", E, {0}, "[1][2] ", "t.csv:1: is read as a header, since it has text above"},
        {"person,friend\nann,bob\n", E, {0}, "[person][friend] [ann][bob] ?", ""},
        {"person,friend\nann,bob\n", E, {.header = GND_HEADER_YES}, "[ann][bob] ", "header_read"},
        {"a,b\nc,d\n",
         E,
         {.header = GND_HEADER_YES, .header_edges = GND_HEADER_NO},
         "[a][b] [c][d] ",
         ""},
        {"source,target\na,b\n", E, {.header = GND_HEADER_NO}, "[source][target] [a][b] ", ""},
        {"p1,p2\np3,p4\n", E, {0}, "[p1][p2] [p3][p4] ", ""}, /* written like those below */
        {"a,1\n1,2\n", E, {0}, "[a][1] [1][2] ", ""},         /* a number is no name */
        {"a,b,1\nc,d,2\n", E, {0}, "[a][b][1] [c][d][2] ", ""},
        {"id,label\nann,x\n", L, {0}, "[ann][x] ", ""}, /* as gnd writes it */
        {"ann,class\nbob,x\n", L, {0}, "[ann][class] [bob][x] ", ""},
        {"node,class\nann,x\n",
         L,
         {0},
         NULL,
         "'node', 'class' may be a header, since it names columns, but"},
        {"id,label\nann,1\n", L, {0}, "[ann][1] ", ""}, /* the types tell */
        {"vertex,community\nann,x\n", L, {0}, "[ann][x] ", "label is 'community'"},
        {"label,vertex\nx,ann\n", L, {0}, "[ann][x] ", "id is 'vertex', label is 'label'"},
        {"who,what\nann,x\n", L, {0}, "[who][what] [ann][x] ?", ""},
        {"ann,x\nbob,y\n", L, {0}, "[ann][x] [bob][y] ", ""}, /* a vertex is no name */
        {"ann,x\nbob,1\n", L, {0}, "[ann][x] [bob][1] ", ""},
        {"who,team\nann,1\n", L, {0}, "[ann][1] ", "since it has text above numbers"},
        {"who,what\nann,x\n", L, {.header_labels = GND_HEADER_YES}, "[ann][x] ", "id is 'who'"},
        {"node,x,y\nann,1,2\n", F, {0}, "[ann](1)(2) ", "id is 'node'"},
        {"who,color\nbob,red\n",
         F,
         {0},
         NULL,
         "t.csv:1: 'who', 'color' may be a header, since the graph has no vertex of that id; give "
         "--header features=yes or --header features=no"},
        {"who,color\nbob,red\n",
         F,
         {.header_features = GND_HEADER_NO},
         "[who](color) [bob](red) ",
         ""},
        {"who,0,1\nbob,5,6\n", F, {0}, NULL, "'who', '0' may be a header"},
        {"who,0,1\n7,5,6\n", F, {0}, "[7](5)(6) ", "header_read"},
        {"\"x\"\"y\",to\na,b\n", E, {0}, "[x\"y][to] [a][b] ?", ""},
        {"\"source\",\"tar\nget\"\na,b\n", E, {0}, "[a][b] ", "header_read"},
    };

    (void)state;
    CHECK_ALL(list);
}

static void test_separators(void **state)
{
    static const example list[] = {
        {"ann;bob\nbob;cat\n", E, {0}, "[ann][bob] [bob][cat] ?", "separated by semicolons"},
        {"Source;Target\na;b\n", E, {0}, "[a][b] ", "separator_found"},
        {"Source|Target\na|b\n", E, {0}, "[a][b] ", "separated by vertical bars"},
        {"source\ttarget\na b\tc,d\n", E, {0}, "[a b][c,d] ", ""},
        {"New York,Los Angeles\nRome,New York\n",
         E,
         {0},
         "[New York][Los Angeles] [Rome][New York] ?",
         ""},
        {"\"a;b\",c\nd,e\n", E, {0}, "[a;b][c] [d][e] ?", ""},
        {"a;b,c;d\nc;d,x;y\n",
         E,
         {0},
         NULL,
         "separated by commas or by semicolons; say which with --"},
        {"a;b,c;d\nc;d,x;y\n", E, {.separator = ','}, "[a;b][c;d] [c;d][x;y] ", ""},
        {"sep=;\nSource;Target\na;b\n", E, {0}, "[a][b] ", ""},
        {"source,target\na,b,\nc,d,\n", E, {0}, "[a][b] [c][d] ", "trailing_separator"},
        {"0,1,\n1,2,\n", E, {0}, "[0][1] [1][2] ", "trailing_separator"},
        {"id;label\nann;\nbob;\n", L, {0}, "[ann][] [bob][] ", "separator_found"},
        {"ann,\nbob,\n", L, {0}, "[ann][] [bob][] ", ""}, /* labels may be missing */
    };

    (void)state;
    CHECK_ALL(list);
}

static void test_decimals(void **state)
{
    static const example list[] = {
        {"1;2;0,5\n2;3;1,25\n", E, {0}, "[1][2][0,5] [2][3][1,25] ", "decimal_comma"},
        {"1;2;1,555\n2;3;1,250\n", E, {0}, NULL, "--decimal comma or --decimal point"},
        {"1;2;1,555\n2;3;1,250\n",
         E,
         {.decimal = ','},
         "[1][2][1,555] [2][3][1,250] ",
         "separated by semicolons"},
        {"1;2;0,5\n2;3;1.5\n", E, {0}, NULL, "--decimal comma"},
        {"1 2 0,5\n2 3 1,25\n", E, {0}, NULL, "separated by commas or by blanks"},
        {"1 2 0,5\n", E, {.separator = ' '}, "[1][2][0,5] ", "decimal_comma"},
        {"a;b;w\n1;2;1,5e-3\n", E, {0}, "[1][2][1,5e-3] ", "decimal_comma"},
    };

    (void)state;
    CHECK_ALL(list);
}

static void test_columns(void **state)
{
    static const example list[] = {
        {"Source,Target,Type,Id,Label,Weight\n1,2,Directed,0,,3\n",
         E,
         {0},
         "[1][2][3][Directed] ",
         "columns_not_used: "},
        {":START_ID(A),:END_ID(B),:TYPE,weight:float\n1,2,X,3\n", E, {0}, "[1][2][3] ", "':TYPE'"},
        {"uid:ID(A),name,:LABEL\nann,n,k\n", L, {0}, "[ann][k] ", "1 column is not used: 'name'"},
        {",source,target\n0,a,b\n", E, {0}, "[a][b] ", "1 column is not used: column 1"},
        {"Unnamed: 0,label\nann,k\n", L, {0}, "[ann][k] ", "id is 'Unnamed: 0'"},
        {",label\nann,k\n", L, {0}, "[ann][k] ", "id is column 1"},
        {",id,label\n0,ann,k\n", L, {0}, "[ann][k] ", "id is 'id'"},
        {",0,1\nann,5,6\n", F, {0}, "[ann](5)(6) ", "id is column 1"},
        {"year,from,to\n1999,a,b\n", E, {0}, "[a][b] ", "not used: 'year'"},
        {"a,b,since\n1,2,3\n",
         E,
         {0},
         NULL,
         "not clear which column is the source; the columns are 'a'"},
        {"a,b,w\n1,2,3\n", E, {0}, "[1][2][3] ", "source is 'a'"},                /* what is left */
        {"x,y,z\n1,2,k\n", E, {0}, NULL, "not clear which column is the source"}, /* y: a label? */
        {",a,b\n0,1,2\n", E, {0}, "[1][2] ", "source is 'a', target is 'b'"},
        {"class,person\nx,ann\n", L, {0}, "[ann][x] ", "id is 'person'"},
        {"id,label,probability,p_x\nann,1,0.5,0.5\n", L, {0}, "[ann][1][0.5] ", ""},
        {"Id,Label,modularity_class\nann,A,1\n",
         L,
         {0},
         NULL,
         "columns 'Label' and 'modularity_class' may both be the label; name one with --columns "
         "label=..."},
        {"Id,Label,modularity_class\nann,A,1\n",
         L,
         {.columns = "label=modularity_class"},
         "[ann][1] ",
         "not used: 'Label'"},
    };

    (void)state;
    CHECK_ALL(list);
}

static void test_stated_columns(void **state)
{
    static const example list[] = {
        {"ann,x,5\nbob,y,6\n", L, {0}, NULL, "such as --columns id=1,label=2"},
        {"ann,x,5\nbob,y,6\n",
         L,
         {.columns = "label=3"},
         "[ann][5] [bob][6] ",
         "not used: column 2"},
        {"5,ann\n6,bob\n", L, {.columns = "id=2,label=1"}, "[ann][5] [bob][6] ", ""},
        {"a,b,5\nc,d,6\n", E, {.columns = "weight="}, "[a][b] [c][d] ", "not used: column 3"},
        {"he,she,n\na,b,3\n",
         E,
         {.columns = "source=she,target=he,weight=n"},
         "[b][a][3] ",
         "source is 'she'"},
        {"who,team\nann,x\n",
         L,
         {.columns = "labels.id=who,id=nobody"},
         "[ann][x] ",
         "id is 'who'"},
        {"source,target\na,b\n",
         E,
         {.columns = "source=nobody"},
         NULL,
         "t.csv:1: there is no column 'nobody' for the source (--columns); the columns are "
         "'source',"},
        {"a,b\nc,d\n", E, {.columns = "source=1,target=1"}, NULL, "gives column '1' two roles"},
        {"a,b\nc,d\n", E, {.columns = "source="}, NULL, "gives the source no column"},
        {"id,x,label\nann,5,k\n", F, {0}, "[ann](5) ", "1 column is not used: 'label'"},
        {"id,x,label\nann,5,k\n", F, {.columns = "label="}, "[ann](5)(k) ", ""},
        {"id,x,team\nann,5,k\n", F, {.columns = "label=team"}, "[ann][k](5) ", "not used: 'team'"},
        {"x,id\n5,ann\n", F, {0}, "[ann](5) ", "id is 'id'"},
    };

    (void)state;
    CHECK_ALL(list);
}

/* Tables of R: write.table leaves out the name of the first column, write.csv writes it empty. */
static void test_row_names(void **state)
{
    static const example list[] = {
        {"\"source\" \"target\" \"weight\"\n\"1\" \"a\" \"b\" 2\n\"2\" \"b\" \"c\" 3\n",
         E,
         {0},
         "[a][b][2] [b][c][3] ",
         "not used: column 1"},
        {"\"V1\";\"V2\"\n\"1\";\"a\";\"b\"\n\"2\";\"b\";\"c\"\n",
         E,
         {0},
         "[a][b] [b][c] ",
         "source is 'V1', target is 'V2'"},
        {"\"\",\"V1\",\"V2\"\n\"1\",\"a\",\"b\"\n", E, {0}, "[a][b] ", "source is 'V1'"},
        {"\"id\" \"label\"\n\"1\" \"ann\" \"x\"\n", L, {0}, "[ann][x] ", "not used: column 1"},
        {"\"x\" \"y\"\n\"ann\" 5 6\n\"bob\" 7 8\n",
         F,
         {0},
         "[ann](5)(6) [bob](7)(8) ",
         "id is column 1"},
        {"\"id\" \"x\"\n\"1\" \"ann\" 5\n\"2\" \"bob\" 6\n",
         F,
         {0},
         "[ann](5) [bob](6) ",
         "id is 'id'"},
        {",id,x\n0,ann,5\n1,bob,6\n", F, {0}, "[ann](5) [bob](6) ", "not used: column 1"},
        /* the name may lack at the end */
        {"\"id\" \"x\"\n\"ann\" 5 6\n", F, {0}, NULL, "t.csv:1: has 2 fields, one fewer than the"},
        {"\"src\" \"dst\"\n\"7\" \"a\" \"b\"\n", E, {0}, NULL, "row.names = FALSE"},
    };

    (void)state;
    CHECK_ALL(list);
}

/* Rows after the start. */
static void test_rows(void **state)
{
    static const struct {
        const char *text, *say;
    } bad[] = {
        {"0,1\n2\n", "t.csv:2: expected 2 fields separated by commas as in line 1; got 1"},
        {"# c\n0,1\n\n0,1,2\n",
         "t.csv:4: expected 2 fields separated by commas as in line 2; got 3"},
        {"source,target\n0,1,\n0,1,2\n", "t.csv:3: expected 2 fields"},
        /* the header may lack the name of the first or of the last column */
        {"src dst\n1 2 1\n2 3 1\n", "got 3; add the name of the column that the header lacks"},
        {"\"src\" \"dst\"\n\"1\" \"a\" \"b\"\nc d\n",
         "t.csv:2: expected 2 fields separated by blanks as in line 1; got 3"},
        {"0,\"1\n", "t.csv:1: a quote is not closed"},
    };
    gnd_csv_table c;
    gnd_text t;
    gnd_error err;
    bool more;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gnd_status st;

        err = (gnd_error){0};
        CHECK_OK(gnd_text_open_lines(&t, put("t.csv", bad[i].text), 0, &err));
        st = gnd_csv_table_start(&c, &t, GND_CSV_EDGES, NULL, NULL, &err);
        for (more = true; st == GND_OK && more;)
            st = gnd_csv_table_next(&c, &more, &err);
        assert_int_equal(st, GND_ERR_FORMAT);
        assert_non_null(strstr(err.msg, bad[i].say));
        gnd_csv_table_fini(&c);
        gnd_text_close(&t);
    }
}

/* A separator at the end of all lines that were looked at, and then a field after it. */
static void test_late_field(void **state)
{
    char text[4096] = "";
    gnd_graph *g;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; i < 250; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d,\n", i, i + 1);
    strcat(text, "1,2,3\n");
    CHECK_FAILS(gnd_format_edgelist.read(&g, put("t.csv", text), NULL, &err), GND_ERR_FORMAT,
                "t.csv:251: expected nothing after the last separator, as in line 1; got '3'");
}

static void test_options(void **state)
{
    static const struct {
        gnd_load_opts o;
        const char *say;
    } bad[] = {
        {{.separator = 'x'}, "separator is byte 120"},
        {{.decimal = ';'}, "decimal is byte 59"},
        {{.decimal = ',', .separator = ','}, "both the separator and the decimal point"},
        {{.missing = (gnd_missing)3}, "missing is 3"},
        {{.header_edges = (gnd_header)3}, "header is 3"},
        {{.columns = "source"}, "--columns: got 'source'; expected role=column"},
        {{.columns = "from=x"}, "--columns: got 'from=x'"},
        {{.columns = "id=x,,"}, "--columns: got"},
        {{.columns = "edges.id=x"}, "--columns: got 'edges.id=x'"},
        {{.columns = "files.id=x"}, "--columns: got"},
        {{.columns = "id=\"x"}, "--columns: got"},
        {{.columns = "id=\"x\"y"}, "--columns: got"},
    };
    gnd_graph *g;
    gnd_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gnd_load_opts o = bad[i].o;

        o.size = sizeof o;
        CHECK_FAILS(gnd_load(&g, put("t.csv", "0,1\n"), &o, &err), GND_ERR_ARG, bad[i].say);
        assert_null(g);
    }
}

static void test_mangled(void **state)
{
    (void)state;
    check_mangled(
        &gnd_format_edgelist, "m.csv",
        "Source;Target;Type;Weight;\na;b;Undirected;0,5;\nb;\"c \"\"d\"\"\";Directed;1,25;\n");
    check_mangled(&gnd_format_edgelist, "m.csv",
                  "sep=|\n:START_ID(x)|:END_ID|weight:float\n1|2|0.5\n2|3|1e3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_decimals),       cmocka_unit_test(test_columns),
        cmocka_unit_test(test_stated_columns), cmocka_unit_test(test_row_names),
        cmocka_unit_test(test_rows),           cmocka_unit_test(test_late_field),
        cmocka_unit_test(test_options),        cmocka_unit_test(test_mangled),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
