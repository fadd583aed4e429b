/* SPDX-License-Identifier: MIT
 * xml.c - parse an XML file with expat. A file may be hostile: a document type with declarations is
 * refused, so there are no entities to expand and no default attributes; nothing outside the file
 * is read; depth is limited, and expat does not recurse. */
#include "xml.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "io.h"
#include "text.h"

/* Separates a namespace from a local name in what expat returns; not allowed in XML names. */
#define NS_SEP '|'

enum { DEPTH_MAX = 256, PIECE = 1 << 20 };

struct gnd_xml {
    XML_Parser parser;
    gnd_xml_reader *r;
    gnd_text file;      /* its line: of the current tag */
    char *space;        /* namespace of the root element; "" if it has none */
    gnd_buffer text;    /* characters since the last tag */
    int64_t depth;      /* of elements that are open */
    int64_t skip_depth; /* depth at which an element of another namespace began; 0: none is open */
    gnd_status st;      /* not GND_OK: parsing is stopped */
    gnd_error *err;
};

static void *xml_alloc(size_t n)
{
    return gnd_realloc(NULL, (int64_t)n, 1);
}

static void *xml_realloc(void *p, size_t n)
{
    return gnd_realloc(p, (int64_t)n, 1);
}

int64_t gnd_xml_line(const gnd_xml *x)
{
    return x->file.line;
}

const char *gnd_xml_get(const char **attr, const char *name)
{
    for (; *attr; attr += 2)
        if (strcmp(attr[0], name) == 0)
            return attr[1];
    return NULL;
}

/* Is parsing not stopped? Called first by every handler. */
static bool begin(gnd_xml *x)
{
    x->file.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    return x->st == GND_OK;
}

/* Stop parsing. */
static void stop(gnd_xml *x, gnd_status st)
{
    x->st = st;
    XML_StopParser(x->parser, XML_FALSE);
}

/* The local name of an element; *space: length of its namespace. */
static const char *local_name(const char *name, size_t *space)
{
    const char *bar = strrchr(name, NS_SEP);

    *space = bar ? (size_t)(bar - name) : 0;
    return bar ? bar + 1 : name;
}

static gnd_status open_element(gnd_xml *x, const char *name, const char **attr)
{
    size_t n_space;
    const char *local = local_name(name, &n_space);

    if (x->depth == 0) {
        x->space = gnd_strndup(name, n_space);
        if (!x->space)
            return gnd_fail(x->err, GND_ERR_NOMEM, "%s: no memory", x->file.path);
    }
    if (++x->depth > DEPTH_MAX)
        return gnd_text_fail(&x->file, x->err, "more than %d elements are nested", DEPTH_MAX);
    if (x->skip_depth)
        return GND_OK;
    if (strlen(x->space) != n_space || memcmp(x->space, name, n_space) != 0) {
        x->skip_depth = x->depth;
        x->r->n_foreign++;
        return GND_OK;
    }
    return x->r->start(x->r->user, x, local, attr, x->err);
}

static void on_start(void *user, const char *name, const char **attr)
{
    gnd_xml *x = user;
    gnd_status st;

    if (!begin(x))
        return;
    x->text.size = 0;
    st = open_element(x, name, attr);
    if (st != GND_OK)
        stop(x, st);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static gnd_status close_element(gnd_xml *x, const char *name)
{
    const char *s = x->text.text ? x->text.text : "";
    size_t n = x->text.size, n_space;

    if (x->text.failed)
        return gnd_fail(x->err, GND_ERR_NOMEM, "%s: no memory", x->file.path);
    for (; n > 0 && is_space(s[n - 1]);)
        n--;
    for (; n > 0 && is_space(s[0]); n--)
        s++;
    return x->r->end(x->r->user, x, local_name(name, &n_space), s, n, x->err);
}

static void on_end(void *user, const char *name)
{
    gnd_xml *x = user;
    gnd_status st = GND_OK;

    if (!begin(x))
        return;
    if (!x->skip_depth)
        st = close_element(x, name);
    else if (x->skip_depth == x->depth)
        x->skip_depth = 0;
    x->depth--;
    x->text.size = 0;
    if (st != GND_OK)
        stop(x, st);
}

static void on_text(void *user, const char *s, int len)
{
    gnd_xml *x = user;

    /* White space between tags is not kept: it would only be copied. */
    if (x->st == GND_OK && !x->skip_depth && (x->text.size > 0 || len > 1 || !is_space(s[0])))
        gnd_buffer_add(&x->text, s, (size_t)len);
}

static void on_doctype(void *user, const char *name, const char *sysid, const char *pubid,
                       int has_internal_subset)
{
    gnd_xml *x = user;

    (void)name;
    (void)sysid;
    (void)pubid;
    if (begin(x) && has_internal_subset)
        stop(x, gnd_text_fail(&x->file, x->err,
                              "the document type has declarations of its own, such as entities; "
                              "these are not read"));
}

static void on_skipped_entity(void *user, const char *name, int is_parameter)
{
    gnd_xml *x = user;

    if (begin(x) && !is_parameter)
        stop(x, gnd_text_fail(&x->file, x->err, "the entity '%.40s' is not known", name));
}

static gnd_status parse(gnd_xml *x, const gnd_load_opts *o)
{
    const gnd_text *t = &x->file;
    size_t at = 0;

    for (bool last = false; !last && x->st == GND_OK;) {
        const size_t n = t->size - at < PIECE ? t->size - at : PIECE;

        last = at + n == t->size;
        if (XML_Parse(x->parser, t->data + at, (int)n, last) != XML_STATUS_OK && x->st == GND_OK) {
            const enum XML_Error e = XML_GetErrorCode(x->parser);

            begin(x);
            if (e == XML_ERROR_NO_MEMORY)
                x->st = gnd_fail(x->err, GND_ERR_NOMEM, "%s: no memory", x->file.path);
            else
                x->st = gnd_text_fail(&x->file, x->err, "not valid XML: %s", XML_ErrorString(e));
        }
        at += n;
        if (x->st == GND_OK)
            x->st = gnd_load_check(o, x->err);
    }
    return x->st;
}

gnd_status gnd_xml_read(const char *path, const gnd_load_opts *o, gnd_xml_reader *r, gnd_error *err)
{
    static const XML_Memory_Handling_Suite memory = {xml_alloc, xml_realloc, gnd_free};
    static const XML_Char sep[] = {NS_SEP, 0};
    gnd_xml x = {.r = r, .err = err};
    gnd_status st = GND_OK;

    GND_TRY(gnd_text_open(&x.file, path, o ? o->max_input : 0, err));
    x.parser = XML_ParserCreate_MM(NULL, &memory, sep);
    if (!x.parser)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    XML_SetUserData(x.parser, &x);
    XML_SetElementHandler(x.parser, on_start, on_end);
    XML_SetCharacterDataHandler(x.parser, on_text);
    XML_SetStartDoctypeDeclHandler(x.parser, on_doctype);
    XML_SetSkippedEntityHandler(x.parser, on_skipped_entity);
    GND_TRY(parse(&x, o));
out:
    if (x.parser)
        XML_ParserFree(x.parser);
    gnd_buffer_fini(&x.text);
    gnd_free(x.space);
    gnd_text_close(&x.file);
    return st;
}

/* Position after the next occurrence of `end`, n if there is none. */
static size_t after(const char *s, size_t n, size_t at, const char *end)
{
    const size_t k = strlen(end);

    for (; at + k <= n; at++)
        if (memcmp(s + at, end, k) == 0)
            return at + k;
    return n;
}

bool gnd_xml_sniff(char *root, size_t size, const char *head, size_t n_head)
{
    char s[4096];
    size_t n = 0, at = 0, end;

    *root = '\0';
    /* Also UTF-16: its zero bytes and the byte order mark are left out. */
    for (size_t i = 0; i < n_head && n < sizeof s; i++)
        if (head[i] && (i > 3 || (unsigned char)head[i] < 0x80))
            s[n++] = head[i];
    while (at < n && is_space(s[at]))
        at++;
    if (at == n || s[at] != '<')
        return false;
    while (at + 1 < n && s[at] == '<' && (s[at + 1] == '?' || s[at + 1] == '!')) {
        at = after(s, n, at,
                   s[at + 1] == '?'                 ? "?>"
                   : n - at > 3 && s[at + 2] == '-' ? "-->"
                                                    : ">");
        while (at < n && is_space(s[at]))
            at++;
    }
    if (at == n || s[at] != '<')
        return true;
    for (end = ++at; end < n && !is_space(s[end]) && s[end] != '>' && s[end] != '/'; end++)
        if (s[end] == ':')
            at = end + 1;
    snprintf(root, size, "%.*s", (int)(end - at), s + at);
    return true;
}
