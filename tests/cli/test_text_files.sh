#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Text files as people have them: headers, separators, columns, standard input, missing values.
# shellcheck source=tests/cli/cases.bash
. "$(dirname "$0")/cases.bash"

note() { # note NAME PATTERN ARGS...: exit 0, and a line of stderr matches
    local name=$1 pattern=$2 ok=0
    shift 2
    run "$@"
    [ $rc = 0 ] && grep -qE -- "^note: $pattern" .err || ok=1
    verdict "$name" $ok
}

shape() { # shape NAME VERTICES EDGES ARGS...: exit 0, with these numbers
    local name=$1 n=$2 m=$3 ok=0
    shift 3
    run data info --json "$@"
    [ $rc = 0 ] && json "o['n_node'] == $n and o['n_edge'] == $m" || ok=1
    verdict "$name" $ok
}

edges() { printf 'source,target\nann,bob\nbob,cat\ncat,dan\ndan,eve\neve,ann\n'; }
edges > e.csv
printf 'ann,red\ncat,blue\n' > l.csv
printf 'label,node\nred,ann\nblue,cat\n' > swapped.csv
"$gnd" label e.csv --labels l.csv -o want.csv -q || exit 2

# ---- headers
printf 'person,friend\nann,bob\nbob,cat\n' > person.csv
printf 'node1,node2\nann,bob\nbob,cat\n' > node12.csv
printf 'src,dst,w\n1,2,0.5\n2,3,2\n' > srcdst.csv
fails "header in doubt" 1 "person.csv:1: 'person', 'friend' may be a header.*--header edges=yes" data info person.csv
shape "header in doubt: yes" 3 2 person.csv --header edges=yes
shape "header in doubt: no" 5 3 person.csv --header edges=no
shape "header: known names" 3 2 node12.csv
note "header: text above numbers" "srcdst.csv:1: is read as a header; source is 'src', .*weight is 'w'" \
    data info srcdst.csv
printf 'who,what\nann,red\ncat,blue\n' > who.csv
fails "labels in doubt" 1 "who.csv:1: .*--header labels=yes" label e.csv --labels who.csv -o x.csv
for h in labels=yes yes auto,labels=yes yes,edges=yes; do
    run label e.csv --labels who.csv --header $h -o x.csv -q
    [ $rc = 0 ] && cmp -s x.csv want.csv
    verdict "labels: --header $h" $?
done
tail -n +2 e.csv > bare.csv
shape "one file with a header, one without" 5 5 bare.csv --labels who.csv --header edges=no,labels=yes
run label e.csv --labels swapped.csv -o x.csv -q
[ $rc = 0 ] && cmp -s x.csv want.csv; verdict "labels: columns by name" $?
fails "--header: not a word" 2 '--header maybe: expected auto, yes or no' data info e.csv --header maybe
fails "--header: not a kind" 2 '--header nodes=yes: expected' data info e.csv --header nodes=yes

# ---- separators and columns
tr , ';' < bare.csv > semicolon.csv
tr , '|' < bare.csv > pipe.csv
tr , '\t' < bare.csv > tab.tsv
tr , ' ' < bare.csv > blank.txt
for f in semicolon.csv pipe.csv tab.tsv blank.txt; do shape "$f" 5 5 $f; done
note "separator: said" 'semicolon.csv: fields are separated by semicolons' data info semicolon.csv
shape "--separator semicolon" 5 5 semicolon.csv --separator semicolon
fails "--separator tab in another file" 1 'semicolon.csv:1: .*got 1 field separated by tabs .*--separator' \
    data info semicolon.csv --separator tab
fails "--separator: not a name" 2 '--separator dot: expected comma' data info e.csv --separator dot
printf '1;2;0,5\n2;3;1,25\n' > comma.csv
note "decimal comma" 'comma.csv: numbers have decimal commas' data info comma.csv
fails "--decimal point" 1 "comma.csv:1: the weight: expected a finite number; got '0,5'" \
    data info comma.csv --decimal point
printf 'ann,red,1\ncat,blue,2\n' > three.csv
fails "three columns without a header" 1 'three.csv:1: .*--columns id=1,label=2' label e.csv --labels three.csv -o x.csv
run label e.csv --labels three.csv --columns id=1,label=2 -o x.csv -q
[ $rc = 0 ] && cmp -s x.csv want.csv; verdict "--columns by number" $?
fails "--columns: no such column" 1 "e.csv:1: there is no column 'x' for the source .*'source', 'target'" \
    data info e.csv --columns source=x
fails "--columns: no such role" 2 "columns: got 'foo=1'" data info e.csv --columns foo=1
printf 'who;what\n1;a\n34;b\n' > k.csv
run train karate --labels k.csv --columns id=who,label=what --separator semicolon --method ls -q
[ $rc = 0 ]; verdict "options are not for the files of a named data set" $?

# ---- other programs
printf 'Source,Target,Type,Id,Label,Weight\nann,bob,Undirected,0,,1\nbob,cat,Undirected,1,,2\n' > gephi.csv
shape "Gephi" 3 2 gephi.csv
note "Gephi: types" '.*2 lines have type undirected' data info gephi.csv
note "Gephi: other columns" ".*2 columns are not used: 'Id', 'Label'" data info gephi.csv
printf 'Id,Label,modularity_class\nann,Ann,red\ncat,Cat,blue\n' > nodes.csv
fails "Gephi: two columns may be the label" 1 "nodes.csv:1: .*--columns label=" label e.csv --labels nodes.csv -o x.csv
run label e.csv --labels nodes.csv --columns label=modularity_class -o x.csv -q
[ $rc = 0 ] && cmp -s x.csv want.csv; verdict "Gephi: the label is named" $?
printf ':START_ID(P),:END_ID(P),:TYPE\nann,bob,KNOWS\nbob,cat,KNOWS\n' > neo4j.csv
printf 'pid:ID(P),age:int,:LABEL\nann,3,red\ncat,4,blue\n' > neo4j_nodes.csv
shape "Neo4j" 3 2 neo4j.csv --labels neo4j_nodes.csv --features neo4j_nodes.csv
json "o['n_feat'] == 1 and o['n_class'] == 2"; verdict "Neo4j: features and labels of one file" $?
mkdir neo
cp neo4j.csv neo/relationships.csv
cp neo4j_nodes.csv neo/nodes.csv
shape "Neo4j: a folder" 3 2 neo
note "Neo4j: a folder, its nodes" 'neo/nodes.csv: is not read; --features and --labels' data info neo
shape "Neo4j: a folder, with its nodes" 3 2 neo --labels neo/nodes.csv --features neo/nodes.csv
! grep -q 'not read' .err; verdict "Neo4j: its nodes are named" $?
printf ',source,target\n0,ann,bob\n1,bob,cat\n' > index.csv
shape "pandas: an index column" 3 2 index.csv
printf '\357\273\277"source","target"\r\n"ann","bob"\r\n"bob","cat"\r\n' > excel.csv
shape "Excel: byte order mark, quotes and CRLF" 3 2 excel.csv
printf 'ann,bob,-1\nbob,cat,1\n' > negative.csv
fails "a negative weight" 1 "negative.csv:1: expected a weight that is not negative; got '-1'" data info negative.csv

# ---- standard input
from() { # from FILE ARGS...
    local file=$1
    shift
    "$gnd" "$@" > .out 2> .err < "$file"
    rc=$?
}
from e.csv label - --labels l.csv -q
[ $rc = 0 ] && cmp -s .out want.csv; verdict "graph from standard input" $?
# shellcheck disable=SC2002
cat l.csv | "$gnd" label e.csv --labels - -q > .out 2> .err
cmp -s .out want.csv; verdict "labels from a pipe" $?
from swapped.csv data info e.csv --labels - --header no
grep -q '^note: standard input' .err; verdict "standard input has a name" $?
from e.csv label - --labels - -o x2.csv
[ $rc = 2 ] && grep -q 'standard input.*once' .err && [ ! -e x2.csv ]; verdict "standard input twice" $?
from /dev/null label - --labels l.csv -o x2.csv
[ $rc = 1 ] && grep -q '^gnd: standard input: has no edges' .err; verdict "empty standard input" $?

printf '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>' > g.xml
printf '<edge source="a" target="b"/></graph></graphml>' >> g.xml
from g.xml data info -
[ $rc = 1 ] && grep -q '^gnd: standard input: looks like XML.*--format' .err
verdict "another format from standard input is refused" $?
from g.xml data info - --format graphml
[ $rc = 0 ] && grep -q '^vertices *2' .out; verdict "and read if it is named" $?

# ---- features
printf 'id,age,city\nann,3,Rome\nbob,NA,Oslo\ncat,5,Rome\ndan,,Rome\neve,7,Oslo\n' > f.csv
fails "missing value" 1 "f.csv:3:2: the value is missing \('NA'\); --missing zero or --missing mean" \
    label e.csv --labels l.csv --features f.csv -o x.csv
for how in zero mean; do
    note "--missing $how" 'f.csv: 2 missing values in 1 column' data info e.csv --features f.csv --missing $how
done
note "text column" "f.csv: 'city' has text, with 2 different values" data info e.csv --features f.csv --missing zero
run data info e.csv --features f.csv --missing mean --json
json "o['n_feat'] == 3"; verdict "text column: a feature per text" $?
run data convert e.csv back --features f.csv --missing mean --to csv -q
printf 'id,f0,f1,f2\nann,3,0,1\nbob,5,1,0\ncat,5,0,1\ndan,5,0,1\neve,7,1,0\n' > mean.csv
[ $rc = 0 ] && cmp -s mean.csv back/features.csv
verdict "--missing mean: the mean of the column" $?
printf 'ann,1e39\n' > large.csv
fails "a value that is too large" 1 "large.csv:1:2: '1e39' is too large; expected at most 3.4e\+38" \
    data info e.csv --features large.csv

# ---- every command that loads has the options
mkdir own
awk -F, 'NR > 1 { print $1 ";" $2 }' "$root/data/karate/edges.csv" > own/edges.csv
awk -F, 'BEGIN { print "club;who" } NR > 1 { print $2 ";" $1 }' "$root/data/karate/labels.csv" > own/labels.csv
compare=(compare own --methods ls --labels-per-class 2 --splits 2 -q)
fails "compare: columns are needed" 1 'own/labels.csv' "${compare[@]}"
works "compare --columns" 'ls' "${compare[@]}" --columns id=who,label=club
for c in label suggest train predict compare "data info" "data convert" "data hops" spectrum "plot curves" \
    "plot tsne"; do
    # shellcheck disable=SC2086
    "$gnd" $c --help > .out 2> .err
    grep -q -- --columns .out && grep -q -- --separator .out && grep -q -- --header .out
    verdict "$c has the options" $?
done

echo "$pass passed, $fail failed"
[ $fail = 0 ]
