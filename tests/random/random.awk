# SPDX-License-Identifier: ISC
#
# Writes a random C program for frame.c: awk -v SEED=N -f random.awk. It terminates and divides by no zero that C forbids; what it
# records, and what is in `data` at its end, depends on every function.

function pick(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }

function one_of(words,   list) { return pick_from(split(words, list, " "), list) }
function pick_from(n, list) { return list[pick(n) + 1] }

function constant(   k) {
	k = pick(13)
	if (k < 4) return pick(16) "u"
	if (k < 6) return pick(256) "u"
	if (k < 7) return pick(5000) "u"
	if (k < 8) return "0x" one_of("80000000 ffffffff 7fffffff 00010000") "u"
	if (k < 9) return one_of("127 128 255 256 32767 32768 65535 65536") "u"
	if (k < 10) return 65536 * pick(65536) "u"
	return pick(65536) * 65536 + pick(65536) "u"
}

# p, q, r, s are narrow (uint8_t, int8_t, uint16_t, int16_t).
function local() { return pick(3) ? one_of("a b c x y z") : one_of("p q r s") }

function index_() { return pick(2) ? pick(8) : one_of("a b c x y z") " & 7" }

function place(   k) {
	k = pick(9)
	return k < 6 ? local() : one_of("words halves bytes") "[" index_() "]"
}

function variable(   k) {
	k = pick(10)
	return k < 6 ? local() : one_of("words halves bytes table") "[" index_() "]"
}

function double(depth) { return "((uint64_t)" expression(depth) " << 32 | " expression(depth) ")" }

function divisor(depth) { return "(" double(depth) " >> " pick(64) " | 1)" }

function arithmetic64(depth,   k, result) {
	k = pick(6)
	if (k < 2) result = double(depth) " " one_of("/ %") " " divisor(depth)
	else if (k < 4) result = "(int64_t)" double(depth) " " one_of("/ %") " (int64_t)" divisor(depth)
	else if (k < 5) result = double(depth) " * " double(depth)
	else result = double(depth) " " one_of("+ - << >>") " " pick(64)
	return "(uint32_t)((" result ") >> " (pick(2) ? 32 * pick(2) : pick(64)) ")"
}

# Values of one byte or halfword, and what compares and computes with them.
function narrow(depth) { return "(" one_of("uint8_t int8_t uint16_t int16_t") ")" expression(depth) }

function narrow_arithmetic(depth,   k) {
	k = pick(8)
	if (k < 2) return "(uint32_t)(" narrow(depth) " " one_of("+ - * & | ^") " " narrow(depth) ")"
	if (k < 4) return "(uint32_t)(" narrow(depth) " " one_of("< > <= >= == !=") " " narrow(depth) ")"
	if (k < 5) return "(uint32_t)(" narrow(depth) " >> " pick(16) ")"
	if (k < 6) return "(uint32_t)" narrow(depth)
	if (k < 7) return "(uint32_t)(" narrow(depth) " " one_of("/ %") " " (pick(300) + 1) ")"
	return "((" expression(depth) " & " one_of("1 15 128 255 256 65535") ") " one_of("== != < >") " " one_of("0 1 128 255") ")"
}

function strings(   k, at) {
	k = pick(5)
	at = "text + " pick(40)
	if (k < 1) return "(uint32_t)strlen(" at ")"
	if (k < 2) return "(strcmp(" at ", text + " pick(40) ") " one_of("< > ==") " 0)"
	if (k < 3) return "(strchr(" at ", (int)" local() ") != 0)"
	return "(memcmp(" at ", text + " pick(40) ", " local() " & 15) " one_of("< > == !=") " 0)"
}

function blocks(   k) {
	k = pick(4)
	if (k < 1) return "memset(text + " pick(28) ", (int)" local() ", " local() " & 31)"
	if (k < 2) return "memcpy(text + " pick(12) ", text + " (32 + pick(12)) ", " local() " & 15)"
	if (k < 3) return "memmove(text + " pick(28) ", text + " pick(28) ", " local() " & 31)"
	return "strcpy(text + " pick(4) ", text + " (32 + pick(28)) ")"
}

function expression(depth,   k) {
	if (depth == 0 || pick(5) == 0) return pick(3) ? variable() : constant()
	k = pick(25)
	if (k < 11) return "(" expression(depth - 1) " " substr("+-*&|^+-&|^", k + 1, 1) " " expression(depth - 1) ")"
	if (k < 12) return "(" expression(depth - 1) " << (" expression(depth - 1) " & 31))"
	if (k < 13) return "(" expression(depth - 1) " >> " pick(32) ")"
	if (k < 14) return "(uint32_t)((int32_t)" expression(depth - 1) " >> " pick(32) ")"
	if (k < 15) return "(" expression(depth - 1) " " one_of("/ %") " (" expression(depth - 1) " | 1))"
	if (k < 16) return "(uint32_t)((int32_t)(" expression(depth - 1) ") / " (pick(100) + 1) ")"
	if (k < 18) return narrow_arithmetic(depth - 1)
	if (k < 19) return "(" condition(depth - 1) ")"
	if (k < 20) return "(" condition(depth - 1) " ? " expression(depth - 1) " : " expression(depth - 1) ")"
	if (k < 21) return arithmetic64(depth - 1)
	if (k < 22) return strings()
	return call(depth - 1)
}

function condition(depth,   t, k) {
	k = pick(8)
	if (k < 1) return narrow(depth) " " one_of("< > <= >= == !=") " " narrow(depth)
	if (k < 2) return "pointers[" index_() "] " one_of("== !=") " pointers[" index_() "]"
	t = pick(2) ? "(int32_t)" : ""
	return t expression(depth) " " (pick(3) ? one_of("< > <= >= == !=") : "!=") " " t (pick(3) ? expression(depth) : "0")
}

# Functions call those of lower levels only; the recursive ones are below all.
function call(depth) {
	if (flat) return variable()
	if (level == 0 || pick(4) == 0) return one_of("down up") "(" pick(5) ", " expression(depth) ")"
	if (pick(3) == 0) return "functions[" pick(level) "](" expression(depth) ", " expression(depth) ", x)"
	return "f" pick(level) "(" expression(depth) ", " expression(depth) ", " variable() ")"
}

function statement(depth, tab,   k) {
	k = depth == 0 ? pick(5) : pick(11)
	if (k < 4) print tab place() " " (pick(3) ? "" : one_of("+ - ^ |")) "= " expression(depth ? 3 : 2) ";"
	else if (k < 5) print tab (pick(2) ? blocks() : "pointers[" index_() "] = functions[" (pick(3) ? pick(count) : "(uint32_t)" local() " % " count) "]") ";"
	else if (k < 8) choice(depth, tab)
	else if (k < 9 && loops < 2) repetition(depth, tab, "i" (++names))
	else cases(tab, pick(3) ? 7 : 16)
}

function choice(depth, tab,   n) {
	print tab "if (" condition(2) ") {"; block(depth - 1, tab "\t")
	if (depth == 2 && pick(4) == 0) for (n = 0; n < 10; n++) statement(0, tab "\t") # a far branch
	if (pick(2)) { print tab "} else {"; block(depth - 1, tab "\t") }
	print tab "}"
}

function repetition(depth, tab, i) {
	loops++
	print tab "for (int " i " = 0; " i " < " (pick(6) + 2) "; " i "++) {"
	print tab "\tx += (uint32_t)" i " * " constant() ";"
	if (pick(3) == 0) print tab "\tif (" condition(1) ")\n" tab "\t\t" one_of("break continue") ";"
	block(depth - 1, tab "\t"); print tab "}"
	loops--
}

function cases(tab, n,   i) {
	print tab "switch (" variable() " & " (n < 8 ? 7 : 15) ") {"
	for (i = 0; i < n; i++) { print tab "case " i ":"; statement(0, tab "\t"); if (pick(4)) print tab "\tbreak;" }
	print tab "}"
}

function block(depth, tab,   n) { for (n = pick(3) + 1; n > 0; n--) statement(depth, tab) }

function narrow_locals() { print "\tuint8_t p = (uint8_t)x;\n\tint8_t q = (int8_t)b;\n\tuint16_t r = (uint16_t)a;\n\tint16_t s = (int16_t)c;\n" }

# Two that call each other and themselves.
function recursive(name, other) {
	print "\nstatic __attribute__((noinline)) uint32_t " name "(uint32_t n, uint32_t a)\n{"
	print "\tuint32_t b = a ^ " constant() ", c = n, x = a, y = b, z = " constant() ";"
	narrow_locals()
	print "\tif (n == 0)\n\t\treturn a + " constant() ";"
	statement(0, "\t"); statement(0, "\t")
	print "\ty += " other "(n - 1, x ^ z);"
	if (pick(2)) print "\tif (y & 1)\n\t\tz -= " name "(n - 1, y);"
	print "\treturn x + y - z + b + c + p + (uint32_t)q + r + (uint32_t)s;\n}"
}

# Numbers of 64 bits with all their bits; the divisors have 16 to 64.
function number64() { return "((uint64_t)" one_of("x y z") " << 32 | " one_of("a x y z") ")" }

function arithmetic_function(   n, sign) {
	print "\nstatic __attribute__((noinline)) uint32_t wide(uint32_t a, uint32_t b, uint32_t c)\n{"
	print "\tuint32_t x = a * 1664525 + 1013904223, y = x * 22695477 + b, z = y * 69069 + c;\n\tuint64_t w;\n"
	for (n = 0; n < 6; n++) {
		sign = pick(2) ? "(int64_t)" : ""
		if (pick(4)) print "\tw = (uint64_t)(" sign number64() " " one_of("/ %") " " sign "(" number64() " >> " pick(49) " | 1));"
		else print "\tw = " number64() " * " number64() ";"
		print "\t" one_of("x y z") " ^= (uint32_t)w + (uint32_t)(w >> 32) * 3;"
	}
	print "\treturn x + y * 5 + z * 7;\n}"
}

BEGIN {
	CONVFMT = OFMT = "%.0f"
	state = (SEED * 7919 + 12345) % 2147483646 + 1
	for (i = 0; i < 10; i++) pick(2)
	count = 3 + pick(3)
	print "#include \"frame.h\"\n"
	print "typedef uint32_t function(uint32_t, uint32_t, uint32_t);"
	print "static struct {\n\tuint32_t words[8], runs[" count "];\n\tfunction *pointers[8];\n\tuint16_t halves[8];\n\tuint8_t bytes[8];\n\tchar text[64];\n} data = {"
	print "\t.words = { 1, " constant() " }, .halves = { 0, 0x8000, 0x7fff, 0xff }, .bytes = { 0, 0x80, 0x7f }, .text = \"" one_of("octix abcabcabcabc z") "\"\n};"
	print "#define words data.words\n#define pointers data.pointers\n#define halves data.halves\n#define bytes data.bytes\n#define text data.text"
	print "const struct frame frame = { &data, sizeof data };"
	print "static const uint32_t table[8] = { 1, 0xffffffff, 0x80000000, 77, 0x1234, 0xfedc0000, 3, 0 };"
	print "static uint32_t down(uint32_t n, uint32_t a), up(uint32_t n, uint32_t a);"
	for (i = 0; i < count; i++) print "static function f" i ";"
	printf "static function *const functions[] = {"
	for (i = 0; i < count; i++) printf " f%d,", i
	print " };"
	flat = 1
	recursive("down", pick(2) ? "up" : "down")
	recursive("up", pick(2) ? "up" : "down")
	arithmetic_function()
	flat = 0
	for (level = 0; level < count; level++) {
		print "\nstatic " (pick(2) ? "__attribute__((noinline)) " : "") "uint32_t f" level "(uint32_t a, uint32_t b, uint32_t c)\n{"
		print "\tuint32_t x = a ^ " constant() ", y = b, z = c;"
		narrow_locals()
		print "\tif (data.runs[" level "]++ > 12)\n\t\treturn b;"
		for (n = 2 + pick(3); n > 0; n--) statement(2, "\t")
		print "\treturn x ^ y + z * 3 + a - b + c + p + (uint32_t)q * 5 + r + (uint32_t)s;\n}"
	}
	print "\nvoid program(void)\n{\n\tstatic const uint32_t edges[] = { 0, 1, 0xffffffff, 0x80000000, 0x7f, 0xff80, 0x10000, 0x12345678 };\n"
	print "\tfor (uint32_t i = 0; i < 24; i++)\n\t\trecord(wide(i < 8 ? edges[i] : i * 0x9e3779b9, edges[i & 7] ^ i << 20, i));"
	print "\tfor (int i = 0; i < 8; i++) {"
	for (i = 0; i < count; i++) print "\t\trecord(f" i "(edges[i], edges[(i * 5 + 3) & 7], (uint32_t)i));"
	print "\t}\n}"
}
