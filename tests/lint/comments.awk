# SPDX-License-Identifier: BSD-3-Clause
# Comments that begin with a word that needs another line, or have an idiom in
# place of a plain word: CONTRIBUTING.md has the rules. show=1 prints them. They
# are named where they are more than one in a hundred comments.
FNR == 1 { inside = begins = 0 }
{
	text = ""
	if (inside) {
		text = $0
		sub(/^[ \t]*\*+([^\/*]|$)/, "", text)
	} else if (match($0, /\/\*/) && $0 !~ /"[^"]*\/\*/) {
		text = substr($0, RSTART + 2)
		sub(/^\*/, "", text)
		comments++
		begins = inside = 1
	}
	if (!inside)
		next
	if (sub(/\*\/.*/, "", text))
		inside = 0
	sub(/^[ \t]+/, "", text)
	if (text == "")
		next
	bad = tolower(text) ~ /(^|[^a-z_])(somebody|nobody|whoever|anew|amidst|meanwhile|so many)([^a-z_]|$)/
	if (begins && text ~ /^(The same|Both|Those|Whoever|Who|As|Of|Nor|For who|With the lock|True|False|Is it|Does)([^a-z]|$)/)
		bad = 1
	begins = 0
	if (bad)
		found[++count] = FILENAME ":" FNR ": " text
}
END {
	if (!show && count * 100 <= comments)
		exit
	for (i = 1; i <= count; i++)
		print found[i]
	print count + 0 " of " comments " comments"
}
