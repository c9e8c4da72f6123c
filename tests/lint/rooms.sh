#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls go down only: from room to room as tests/lint/rooms lists them, and
# without a circle from file to file. Include lines show which files know each
# other, the symbols of the plain build's objects which call each other. A
# source and the header of its name are one file here.
. tests/papi/lib.sh

# facts LIST TREE OBJECTS: lines that judge understands
#   room LEVEL NAME; apart NAME; stranger LINE NAME; root FOLDER; file PATH;
#   foreign PATH
#   include PATH NAME; variant PATH
#   define PATH SYMBOL; use PATH SYMBOL; missing OBJECT PATH
facts()
{
	local list=$1 tree=$2 objects=$3 source object

	awk -v tree="$tree" '
		/^#/ || !NF {next}
		$1 == "tree" {ours = $2 == tree; level = 0}
		$1 == "tree" && ours {
			for (i = 2; i <= NF; i++)
				print "root", $i
		}
		$1 == "tree" || !ours {next}
		$1 == "foreign" {
			for (i = 2; i <= NF; i++)
				print "root", $i
			next
		}
		$1 == "variants" {
			for (i = 2; i <= NF; i++)
				print "variant", tree "/" $i ".c"
			next
		}
		$1 == "strangers" {
			for (i = 2; i <= NF; i++)
				print "stranger", NR, $i
			next
		}
		{
			level++
			for (i = 1; i <= NF; i++) {
				if (gsub(/[()]/, "", $i))
					print "apart", $i
				print "room", level, $i
			}
		}' "$list"
	awk -v tree="$tree" '$1 == "tree" {ours = $2 == tree}
		$1 == "foreign" && ours {
			for (i = 2; i <= NF; i++)
				print $i
		}' "$list" |
		xargs -r -I{} find {} -name '*.h' | sed 's/^/foreign /'
	find "$tree" -name '*.[ch]' | sort > "$work/sources"
	sed 's/^/file /' "$work/sources"
	xargs grep -HE '^#include "' < "$work/sources" |
		sed -E 's/^([^:]*):#include "([^"]*)".*/include \1 \2/'
	: > "$work/objects"
	while read -r source; do
		[[ $source = *.c ]] || continue
		object=$objects/${source%.c}.o
		if [ -f "$object" ]; then
			echo "$object" >> "$work/objects"
		else
			echo "missing $object $source"
		fi
	done < "$work/sources"
	# nm -P: "OBJECT: SYMBOL TYPE ..."; weak ones without a body are no use
	xargs nm -gAP < "$work/objects" | sed "s|^$objects/||; s|\.o: |.c |" |
		awk '$3 !~ /[vw]/ {
			print $3 == "U" ? "use" : "define", $1, $2}'
}

# judge WHAT < FACTS, for each tree: complaints about it (listed, includes,
# calls), or from which file to which the edges go (include-edges, call-edges)
judge()
{
	awk -v tree="$tree" -v what="$1" '
		function room(path) {
			sub("^" tree "/", "", path)
			return sub(/\/[^\/]*$/, "", path) ? path : "."
		}
		function stem(path) {
			sub(/\.[ch]$/, "", path)
			return path
		}
		# rooms in a room are no strangers to it
		function stranger(line, name,    i, found) {
			name = name "/"
			for (i = 1; i <= strangers[line]; i++)
				if (index(name, of[line, i] "/") == 1)
					found = of[line, i]
			return found
		}
		function are_strangers(a, b,    line) {
			for (line in strangers)
				if (stranger(line, a) && stranger(line, b) &&
				    stranger(line, a) != stranger(line, b))
					return 1
			return 0
		}
		function edge(from, to, why) {
			if (stem(from) == stem(to))
				return
			if (what ~ /edges/)
				print stem(from), stem(to)
			else if (room(from) != room(to) &&
				 (level[room(from)] >= level[room(to)] ||
				  room(to) in apart ||
				  are_strangers(room(from), room(to))))
				print from ": " why " of " to
		}
		function header(name, files,    i) {
			for (i = 1; i <= roots; i++)
				if (root[i] "/" name in files)
					return root[i] "/" name
		}
		$1 == "room" {level[$3] = $2}
		$1 == "apart" {apart[$2] = 1}
		$1 == "stranger" {of[$2, ++strangers[$2]] = $3}
		$1 == "root" {root[++roots] = $2}
		$1 == "file" {known[$2] = 1}
		$1 == "foreign" {foreign[$2] = 1}
		$1 == "define" {
			by[room($2) in apart ? room($2) : "", $3] = $2
		}
		$1 == "use" {user[++uses] = $2; used[uses] = $3}
		what == "listed" && $1 == "file" && !(room($2) in level) {
			print $2 ": its folder is no room of the list"
		}
		$1 == "variant" {variant[$2] = 1}
		what == "listed" && $1 == "missing" && !($3 in variant) {
			print $2 ": not built"
		}
		what == "listed" && $1 == "include" &&
		!header($3, known) && !header($3, foreign) {
			print $2 ": includes " $3 ", which is not of " tree
		}
		what ~ /^include/ && $1 == "include" && header($3, known) {
			edge($2, header($3, known), "includes a header")
		}
		END {
			if (what !~ /^call/)
				exit
			for (i = 1; i <= uses; i++) {
				where = room(user[i])
				if (!((where, used[i]) in by))
					where = ""
				if ((where, used[i]) in by)
					edge(user[i], by[where, used[i]],
					     "uses " used[i])
			}
		}'
}

# The files of each circle, one circle a line.
circles()
{
	tsort 2>&1 > /dev/null | awk '
		/input contains a loop/ {if (n++) print ""; next}
		{printf "%s ", $2}
		END {if (n) print ""}' | sed "s|$tree/||g"
}

# inspect LIST TREE OBJECTS: complaints into files of $work
inspect()
{
	local tree=$2

	facts "$@" > "$work/facts"
	judge listed < "$work/facts" > "$work/listed"
	judge includes < "$work/facts" > "$work/includes"
	judge calls < "$work/facts" > "$work/calls"
	judge include-edges < "$work/facts" | circles > "$work/circles"
	judge call-edges < "$work/facts" | circles > "$work/call-circles"
}

# tell NAME FILE
tell()
{
	if [ -s "$2" ]; then
		not_ok "$1" "$2"
	else
		ok "$1"
	fi
}

for tree in $(awk '$1 == "tree" {print $2}' tests/lint/rooms); do
	if ! [ -d "$BUILD_DIR/obj/$tree" ]; then
		skip "$tree: calls go down" "not built, a package is missing"
		continue
	fi
	inspect tests/lint/rooms "$tree" "$BUILD_DIR/obj"
	tell "$tree: all folders are listed, all includes are its own" \
		"$work/listed"
	tell "$tree: includes go down" "$work/includes"
	tell "$tree: calls go down" "$work/calls"
	tell "$tree: files include each other in no circle" "$work/circles"
	tell "$tree: files call each other in no circle" "$work/call-circles"
done

# ---- does it see what is wrong? A small tree, and mistakes planted in it.
# plant: top/a calls low/b, which calls low/c; "alone" is linked by itself;
# "top" and "side" are strangers
plant()
{
	rm -rf "$work/house" && mkdir -p "$work/house/t/"{top,side/in,low,alone}
	cd "$work/house" || exit 1
	printf '%s\n' 'tree t' top '(alone)' side side/in low \
		'strangers top side' > list
	printf 'int a(void);\n' > t/top/a.h
	printf 'int b(void);\n' > t/low/b.h
	printf 'int c(void);\n' > t/low/c.h
	printf '#include "top/a.h"\n#include "low/b.h"\nint a(void) {return b();}\n' \
		> t/top/a.c
	printf '#include "low/b.h"\n#include "low/c.h"\nint b(void) {return c();}\n' \
		> t/low/b.c
	printf '#include "low/c.h"\nint c(void) {return 1;}\n' > t/low/c.c
	printf '#include "low/c.h"\nint b(void);\nint b(void) {return 2;}\n' \
		> t/alone/b.c
}

# sees NAME FILE PATTERN: after plant() and a mistake; no FILE: all is well
sees()
{
	local source
	for source in t/*/*.c; do
		mkdir -p "obj/${source%/*}"
		gcc -It -c -o "obj/${source%.c}.o" "$source" || exit 1
	done
	inspect list t obj
	cat "$work"/{listed,includes,calls,circles,call-circles} > "$work/all"
	cd "$TOP_DIR" || exit 1
	if [ -z "${2:-}" ]; then
		tell "$1" "$work/all"
	elif grep -Eq "$3" "$work/$2"; then
		ok "$1"
	else
		not_ok "$1" "$work/all"
	fi
}

plant
sees "a tree without mistakes causes no complaint"
plant
sed -i '1i #include "top/a.h"' t/low/c.c
sees "an include line that goes up is found" includes '^t/low/c.c: .* t/top/a.h'
plant
echo 'int d;' > t/alone/d.h
sed -i '1i #include "alone/d.h"' t/top/a.c
sees "an include line of a folder that is linked by itself is found" \
	includes '^t/top/a.c: '
plant
echo 'int d;' > t/side/in/d.h
sed -i '1i #include "side/in/d.h"' t/top/a.c
sees "an include line between strangers is found" \
	includes '^t/top/a.c: .* t/side/in/d.h'
plant
printf 'int a(void);\nint c(void) {return a();}\n' > t/low/c.c
sees "a call that goes up is found" calls '^t/low/c.c: uses a of t/top/a.c'
plant
sed -i '1i #include "low/b.h"' t/low/c.h
sees "a circle of headers is found" circles 'low/[bc] low/[bc]'
plant
printf 'int b(void);\nint c(void) {return b();}\n' > t/low/c.c
sees "a circle of calls is found" call-circles 'low/[bc] low/[bc]'
plant
mkdir t/new && echo 'int d;' > t/new/d.c
sees "a folder that is not listed is found" listed '^t/new/d.c: '
plant
echo '#include "other/x.h"' > t/low/d.h
sees "an include of another tree is found" listed '^t/low/d.h: .*other/x.h'
finish
