# SPDX-License-Identifier: BSD-3-Clause
# Comments that begin with a word that needs another line, have an idiom in place
# of a plain word, or stand above a function and begin without a verb:
# CONTRIBUTING.md has the rules. show=1 prints them. They are named where they
# are more than one in a hundred comments, or of those above functions.
FNR == 1 { inside = begins = 0; first = "" }
first != "" && !inside {
	if (/^[a-zA-Z_][a-zA-Z0-9_ *]*($|\()/ && !/^(typedef|[A-Z_]+\()/) {
		functions++
		if (first ~ /^(The|An?|Whether|How|What|Where|Which|All|One|Its?|No|Only|Every|Each|True|False|NULL)([^a-zA-Z]|$)/)
			verbless[++verbless_count] = FILENAME ":" line ": " first
	}
	first = ""
}
/^\/\*/ { above = 1; first = "" }
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
	if (begins && above) {
		first = text
		line = FNR
		above = 0
	}
	if (begins && text ~ /^(The same|Both|Those|Whoever|Who|As|Of|Nor|For who|With the lock|True|False|Is it|Does)([^a-z]|$)/)
		bad = 1
	begins = 0
	if (bad)
		found[++count] = FILENAME ":" FNR ": " text
}
END {
	if (show || count * 100 > comments) {
		for (i = 1; i <= count; i++)
			print found[i]
		print count + 0 " of " comments " comments"
	}
	if (show || verbless_count * 100 > functions) {
		for (i = 1; i <= verbless_count; i++)
			print verbless[i]
		print verbless_count + 0 " of " functions " above functions"
	}
}
