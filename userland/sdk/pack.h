// SPDX-License-Identifier: ISC
//
// The packer's program in memory and its passes, in the order in which passes.c and oxpack.c run them:
//   text_load    ELF text -> one struct insn a word, relocations attached, calls and labels found
//   fold         constants from lui and auipc followed through the control flow, addresses made absolute
//   combine      pairs of shifts that extend, steps of pointers next to the accesses that they follow
//   zeros        bytes of values that are always zero, and so which bytes decide a comparison
//   liveness     bytes that nobody reads; lui whose result nobody reads any more dropped
//   frames       prologues and epilogues -> push, pop, popret; then zeros and liveness once more
//   split        functions cut into what the profile says runs and what does not
//   order        functions reached from the entry, callers near callees
//   select_ops   struct insn -> struct out, the cheapest bytecode
//   join         parts of a function that go together made one again
//   layout       what the profile says runs together arranged; pages, far branches to a fixpoint
//   emit         the file; verified with the checks of oxefile.h
#ifndef SDK_PACK_H
#define SDK_PACK_H

#include "elfin.h"
#include "ops.h"
#include "profile.h"
#include "rv.h"

// Bytes of registers: four bits each, the lowest for the lowest byte; x0 has none.
typedef uint64_t byteset;

static inline byteset bytes_of(unsigned reg, unsigned mask)
{
	return reg ? (byteset)mask << 4 * reg : 0;
}

static inline unsigned bytes_in(byteset set, unsigned reg)
{
	return (unsigned)(set >> 4 * reg) & 15;
}

// The registers that a native reads and writes: its operands; a0 to a3 when it has none.
static inline byteset native_registers(const struct rv *i)
{
	if (i->imm < OP_NATIVES && !*op_form(OP_FIRST_NATIVE + (unsigned)i->imm))
		return (byteset)0xffff << 4 * RV_A0;
	return bytes_of(i->rd, 15) | bytes_of(i->rs1, 15) | bytes_of(i->rs2, 15);
}

enum hi { HI_NONE, HI_DATA, HI_CODE };

// One RV32 instruction, at address text + 4 * index.
struct insn {
	struct rv rv;
	uint32_t target;  // address in the text: of branches, jumps, calls and RV_LCODE
	uint8_t reloc;    // enum hi: %hi part of lui; likewise %lo part of others (value in `value`)
	uint32_t value;   // symbol + addend of that relocation
	bool absolute;    // load or store whose address is rv.imm
	bool folded;      // lui or auipc that may go when its register is dead
	bool leader;      // something jumps here
	bool opaque;      // reached from places unknown: nothing is known about registers
	bool code;        // within an executable section
	uint8_t demand;   // bytes of rd that may be read
	uint8_t decides;  // branches: bytes that decide it (1: the lowest, 8: the sign, 15)
};

// One bytecode instruction.
struct out {
	uint8_t op;
	uint8_t r[3];     // register operands in order
	uint32_t value;   // i, I or L
	uint32_t target;  // text address for b, F and code constants
	uint32_t from;    // text address of its RV32 instruction
	bool code;        // value is the code pointer of target
	bool far;         // target in another page: inverted branch over jf, or jf; code constants: li32
	uint16_t page;    // set by layout
	uint8_t offset;
};

// Where a unit has to begin.
enum begins { BEGINS_ANYWHERE, BEGINS_SECTOR, BEGINS_HALF };

// A run of instructions that is laid out as one piece: a function as a rule.
struct unit {
	const char *name;
	uint32_t start, end; // indices of struct insn
	bool sized;          // a function whose size the compiler gave: it never runs on into the next
	bool reached;
	bool cold;           // a part of a function that does not run as a rule
	uint8_t begins;      // enum begins
	uint16_t hot;        // number in the profile, PROFILE_NONE: not in it, or a cold part
	uint32_t function;   // the same for all parts of a function
	uint32_t words;      // instructions in it and in the parts joined to it
	size_t out, nouts;   // range in program.outs
};

struct program {
	struct elf *elf;
	struct insn *insns;
	size_t ninsns;
	struct unit *units;
	size_t nunits, units_cap;
	uint32_t *order;     // indices of reached units as laid out
	size_t norder;
	size_t nhot;         // of them, from the front: those that the profile has put in order
	struct out *outs;
	size_t nouts, outs_cap;
	struct out **by_place; // all outs in the order of the file
	uint32_t *out_of;    // for each insn of a reached unit: the first out at or behind it
	byteset *live_out;   // for each insn: bytes that may be read behind it
	byteset *live_in;    // and before it
	bool narrow;         // bytes that nobody reads may be left out
	bool link_order;     // functions in the order of the ELF file
	struct elf_reloc **code_words; // R_RISCV_32 in data with text values
	size_t ncode_words;
	unsigned npages;
	size_t code_bytes;   // without padding
	uint8_t *file;       // the finished file
	size_t file_size;
};

// Index of the instruction at a text address; dies when there is none (`what` and `from` for the message).
uint32_t insn_at(const struct program *p, uint32_t addr, uint32_t from, const char *what);

static inline uint32_t insn_addr(const struct program *p, size_t index)
{
	return p->elf->text + 4 * (uint32_t)index;
}

// The unit that holds an instruction.
struct unit *unit_of(struct program *p, uint32_t index);

// The unit that runs on behind u's end, or NULL; `trap` is set when a call that never returns ends u.
struct unit *falls_into(struct program *p, const struct unit *u, bool *trap);

// Dies with a message that names the place in the text.
_Noreturn void refuse(const struct program *p, uint32_t addr, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

void text_load(struct program *p, struct elf *e);
void relocate(struct program *p);
void find_units(struct program *p);
void fold(struct program *p);
void combine(struct program *p);
void zeros(struct program *p);
void liveness(struct program *p);

// Bytes that may be read before the instruction at a text address.
byteset live_before(const struct program *p, uint32_t addr);

void frames(struct program *p);
void split(struct program *p, const struct profile *profile);
void order(struct program *p);
void gather(struct program *p);
// All of these, up to here.
void analyse(struct program *p, struct elf *e, const struct profile *profile);

void select_ops(struct program *p);
void join(struct program *p);
void arrange(struct program *p, const struct profile *profile);
void layout(struct program *p, const struct profile *profile);

// Place of the bytecode for a text address, as a code pointer.
uint32_t place_of(const struct program *p, uint32_t addr);

// Bytes of an instruction as laid out now, with the jf of a far branch.
unsigned out_bytes(const struct out *o);

// Bytes of a unit.
unsigned unit_bytes(const struct program *p, const struct unit *u);

void emit(struct program *p);
void verify(struct program *p);
void print_stats(const struct program *p);
void write_map(const struct program *p, const char *path);

#endif
