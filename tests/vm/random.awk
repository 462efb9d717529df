# SPDX-License-Identifier: ISC
#
# Writes a random C program for the frame of insn/insn.h: awk -v SEED=N -f random.awk. It terminates and divides by no
# zero that C forbids; what it prints depends on every function. Used to compare bytecode with RV32 instructions.

function pick(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }

function constant(   k) {
	k = pick(12)
	if (k < 4) return pick(16) "u"
	if (k < 6) return pick(256) "u"
	if (k < 7) return pick(5000) "u"
	if (k < 8) return "0x" substr("80000000ffffffff7fffffff00010000", 8 * pick(4) + 1, 8) "u"
	if (k < 9) return 65536 * pick(65536) "u"
	return pick(65536) * 65536 + pick(65536) "u"
}

function variable(   k) {
	k = pick(10)
	if (k < 6) return substr("abcxyz", pick(6) + 1, 1)
	if (k < 7) return "words[" index_() "]"
	if (k < 8) return "halves[" index_() "]"
	if (k < 9) return "bytes[" index_() "]"
	return "table[" index_() "]"
}

function index_() { return pick(2) ? pick(8) : substr("abcxyz", pick(6) + 1, 1) " & 7" }

function place(   k) {
	k = pick(9)
	if (k < 6) return substr("abcxyz", pick(6) + 1, 1)
	return (k < 7 ? "words" : k < 8 ? "halves" : "bytes") "[" index_() "]"
}

function expression(depth,   k) {
	if (depth == 0 || pick(5) == 0) return pick(3) ? variable() : constant()
	k = pick(20)
	if (k < 11) return "(" expression(depth - 1) " " substr("+-*&|^+-&|^", k + 1, 1) " " expression(depth - 1) ")"
	if (k < 12) return "(" expression(depth - 1) " << (" expression(depth - 1) " & 31))"
	if (k < 13) return "(" expression(depth - 1) " >> " pick(32) ")"
	if (k < 14) return "(uint32_t)((int32_t)" expression(depth - 1) " >> " pick(32) ")"
	if (k < 15) return "(" expression(depth - 1) " " substr("/%", pick(2) + 1, 1) " (" expression(depth - 1) " | 1))"
	if (k < 16) return "(uint32_t)((int32_t)(" expression(depth - 1) ") / " (pick(100) + 1) ")"
	if (k < 17) return "(uint32_t)(" (pick(2) ? "int16_t" : "int8_t") ")" expression(depth - 1)
	if (k < 18) return "(" condition(depth - 1) ")"
	if (k < 19) return "(" condition(depth - 1) " ? " expression(depth - 1) " : " expression(depth - 1) ")"
	return call(depth - 1)
}

function condition(depth,   t) {
	t = pick(2) ? "(int32_t)" : ""
	return t expression(depth) " " (pick(3) ? substr("< > <=>===!=", 2 * pick(6) + 1, 2) : "!=") " " t (pick(3) ? expression(depth) : "0")
}

function call(depth) {
	if (level == 0) return variable()
	if (pick(4) == 0) return "functions[" pick(level) "](" expression(depth) ", " expression(depth) ", x)"
	return "f" pick(level) "(" expression(depth) ", " expression(depth) ", " variable() ")"
}

function statement(depth, tab,   k, i) {
	k = depth == 0 ? 0 : pick(8)
	if (k < 4) { print tab place() " " (pick(3) ? "" : substr("+-^|", pick(4) + 1, 1)) "= " expression(3) ";"; return }
	if (k < 6) {
		print tab "if (" condition(2) ") {"; block(depth - 1, tab "\t")
		if (pick(2)) { print tab "} else {"; block(depth - 1, tab "\t") }
		print tab "}"; return
	}
	if (k < 7 && loops < 2) {
		loops++; i = "i" (++names)
		print tab "for (int " i " = 0; " i " < " (pick(6) + 2) "; " i "++) {"
		print tab "\tx += (uint32_t)" i " * " constant() ";"; block(depth - 1, tab "\t"); print tab "}"
		loops--; return
	}
	print tab "switch (" variable() " & 7) {"
	for (i = 0; i < 7; i++) { print tab "case " i ":"; statement(0, tab "\t"); if (pick(4)) print tab "\tbreak;" }
	print tab "}"
}

function block(depth, tab,   n) { for (n = pick(3) + 1; n > 0; n--) statement(depth, tab) }

BEGIN {
	CONVFMT = OFMT = "%.0f"
	state = (SEED * 7919 + 12345) % 2147483646 + 1
	for (i = 0; i < 10; i++) pick(2)
	print "#include \"insn.h\""
	print "static uint32_t words[8]; static uint16_t halves[8]; static uint8_t bytes[8];"
	print "static const uint32_t table[8] = { 1, 0xffffffff, 0x80000000, 77, 0x1234, 0xfedc0000, 3, 0 };"
	print "typedef uint32_t function(uint32_t, uint32_t, uint32_t);"
	count = 5 + pick(4)
	for (i = 0; i < count; i++) print "static function f" i ";"
	printf "static function *const functions[] = {"
	for (i = 0; i < count; i++) printf " f%d,", i
	print " };"
	for (level = 0; level < count; level++) {
		print "\nstatic " (pick(2) ? "__attribute__((noinline)) " : "") "uint32_t f" level "(uint32_t a, uint32_t b, uint32_t c)\n{"
		print "\tuint32_t x = a ^ " constant() ", y = b, z = c;\n\tstatic uint32_t runs;\n"
		print "\tif (runs++ > 3000)\n\t\treturn b;"
		for (n = 3 + pick(4); n > 0; n--) statement(2, "\t")
		print "\treturn x ^ y + z * 3 + a - b + c;\n}"
	}
	print "\nstatic void test(void)\n{\n\tfor (int i = 0; i < EDGES; i++) {"
	for (i = 0; i < count; i++) print "\t\tmix(f" i "(edges[i], edges[(i * 7 + 3) % EDGES], hash));"
	print "\t}\n\tfor (int i = 0; i < 8; i++)\n\t\tmix(words[i] + halves[i] * 3u + bytes[i] * 5u);\n\tresult(\"random\");\n}"
}
