#!/bin/bash
# SPDX-License-Identifier: MIT
# Graphs whose vertices have attributes, on the command line: labels of the graph, options, refusals.
. "$(dirname "$0")/cases.bash"

graphml() { # graphml CLASS_OF_LAST: two triangles with a bridge; the last vertex may have no class
    echo "<graphml><key id='c' for='node' attr.name='class'/><key id='n' for='node' attr.name='name'/>"
    echo "<graph edgedefault='undirected'>"
    for v in a b c; do echo "<node id='$v'><data key='c'>left</data><data key='n'>N$v</data></node>"; done
    for v in d e; do echo "<node id='$v'><data key='c'>right</data><data key='n'>N$v</data></node>"; done
    echo "<node id='f'><data key='c'>$1</data><data key='n'>Nf</data></node>"
    for e in ab bc ca de ef fd cd; do echo "<edge source='${e:0:1}' target='${e:1:1}'/>"; done
    echo "</graph></graphml>"
}
graphml "" > some.graphml
graphml right > all.graphml
graphml "" | sed "s/'class'/'colour'/" > none.graphml
printf 'a,1\nf,2\n' > known.csv
printf '<svg></svg>\n' > picture.csv
printf 'a,b\n' > edges.csv

works "labels of the graph" '^f,right,' label some.graphml
works "a file of labels replaces them" '^e,2,' label all.graphml --labels known.csv
works "ids by an attribute" '^Nf,right,' label some.graphml --id-attribute name
works "labels by an attribute" '^f,right,' label none.graphml --label-attribute colour
works "features by attributes" '"n_feat": 2' data info none.graphml --feature-attributes colour --json -q
fails "every vertex has a label" 2 'every vertex of all.graphml has a label; .*--labels FILE' label all.graphml -q
fails "no vertex has a label" 2 "label needs the known labels: gnd label none.graphml --labels FILE" \
    label none.graphml -q
fails "no such attribute" 2 "vertices have no attribute 'x'; their attributes are: class, name" \
    data info some.graphml --label-attribute x -q
fails "an edge list has no attributes" 2 'format edgelist has no attributes' data info edges.csv --id-attribute name
fails "other XML" 1 'picture.csv: looks like XML with the root <svg>' data info picture.csv
"$gnd" data info - < some.graphml > .out 2> .err
check "XML on standard input is not read as edges" grep -q 'standard input: looks like XML .*--format' .err
"$gnd" data info - --format graphml -q < some.graphml > .out 2> .err
check "its format can be named" grep -q '^vertices *6' .out
run data info some.graphml --json -q
check "notes have codes" json "{'label_attribute', 'attributes_not_used'} <= {n['code'] for n in o['notes']}"
for f in graphml gexf json; do works "format $f is listed" "^$f " data list; done

echo "$pass passed, $fail failed"
[ $fail = 0 ]
