/* SPDX-License-Identifier: MIT
 * xml.h - XML files as a sequence of elements, for readers of graphs. */
#ifndef GND_IO_XML_H
#define GND_IO_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct gnd_xml gnd_xml;

/* The functions of a reader. They see the elements of the root's namespace by their local names;
 * elements of other namespaces are skipped with all that is in them. attr: names and values in
 * turn, NULL at the end. text: the characters since the last tag, so those of an element without
 * children, without white space around them. */
typedef struct {
    gnd_status (*start)(void *user, gnd_xml *x, const char *name, const char **attr,
                        gnd_error *err);
    gnd_status (*end)(void *user, gnd_xml *x, const char *name, const char *text, size_t len,
                      gnd_error *err);
    void *user;
    int64_t n_foreign; /* skipped elements of other namespaces, not counting those inside of
                          another */
} gnd_xml_reader;

/* Parse a file, gzip or plain. Refused: a document type with declarations of its own (entities
 * above all), references to entities that are not XML's own, elements nested too deep, more bytes
 * than o, which may be NULL, allows. Nothing outside the file is read. The callback of o is called.
 */
gnd_status gnd_xml_read(const char *path, const gnd_load_opts *o, gnd_xml_reader *r,
                        gnd_error *err);
/* Line of the current tag, from 1. */
int64_t gnd_xml_line(const gnd_xml *x);
/* The value of an attribute; NULL if the element does not have it. */
const char *gnd_xml_get(const char **attr, const char *name);

/* Do these first bytes of a file start like XML? Then the local name of the root element is put
 * into root, "" if it is not among them. UTF-16 is recognised by its byte order mark. */
bool gnd_xml_sniff(char *root, size_t size, const char *head, size_t n_head);

#endif
