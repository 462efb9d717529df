// SPDX-License-Identifier: ISC
//
// Streams: modes, seeking, blocks, lines, ungetc, buffering, processes; what main leaves open is flushed by exit (the
// suite looks at the file `left`).
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *log_stream = stdout; // the standard streams are constants

static void modes(void)
{
	FILE *f = fopen("f", "w");
	char line[16];

	CHECK(f != NULL);
	CHECK(fputs("one\n", f) == 0 && fprintf(f, "%d\n", 2) == 2 && fclose(f) == 0);
	f = fopen("f", "a");
	CHECK(fputs("three\n", f) == 0 && fclose(f) == 0);
	f = fopen("f", "r");
	CHECK(fgets(line, sizeof line, f) && strcmp(line, "one\n") == 0);
	CHECK(fgets(line, 2, f) && strcmp(line, "2") == 0);
	CHECK(fgetc(f) == '\n' && ftell(f) == 6);
	CHECK(fputc('x', f) == EOF && ferror(f));
	clearerr(f);
	CHECK(fgets(line, sizeof line, f) && strcmp(line, "three\n") == 0);
	CHECK(fgetc(f) == EOF && feof(f) && !ferror(f));
	rewind(f);
	CHECK(!feof(f) && fgetc(f) == 'o' && ungetc('O', f) == 'O' && fgetc(f) == 'O' && fgetc(f) == 'n');
	fclose(f);
	CHECK(fopen("nofile", "r") == NULL && errno == ENOENT);
	CHECK(fopen("f", "q") == NULL && errno == EINVAL);
	CHECK(fopen("f", "wx") == NULL && errno == EEXIST);
}

static void update(void)
{
	FILE *f = fopen("u", "w+");
	char all[12] = "";

	CHECK(fputs("0123456789", f) == 0 && ftell(f) == 10);
	CHECK(fseek(f, 3, SEEK_SET) == 0 && fgetc(f) == '3' && ftell(f) == 4);
	CHECK(fseek(f, 0, SEEK_CUR) == 0 && fputc('X', f) == 'X' && fflush(f) == 0);
	CHECK(fseek(f, -1, SEEK_END) == 0 && fgetc(f) == '9');
	CHECK(fseek(f, 0, SEEK_SET) == 0 && fread(all, 1, 11, f) == 10 && strcmp(all, "0123X56789") == 0);
	fclose(f);
}

static void blocks(void)
{
	static unsigned short data[700], back[700];
	FILE *f = fopen("b", "w");

	for (int i = 0; i < 700; i++)
		data[i] = (unsigned short)(i * 257);
	CHECK(fwrite(data, 2, 3, f) == 3 && fwrite(data + 3, 2, 697, f) == 697 && fwrite(data, 2, 0, f) == 0);
	CHECK(fclose(f) == 0);
	f = fopen("b", "r");
	CHECK(fgetc(f) == 0 && ungetc(0, f) == 0);
	CHECK(fread(back, 2, 1, f) == 1 && fread(back + 1, 2, 1000, f) == 699 && feof(f));
	CHECK(memcmp(data, back, sizeof data) == 0);
	fclose(f);
}

static void lines(void)
{
	FILE *f = fopen("l", "w+");
	char *line = NULL;
	size_t size = 0;

	for (int i = 0; i < 300; i++)
		fputc('a' + i % 26, f);
	fputs("\nshort\nend", f);
	rewind(f);
	CHECK(getline(&line, &size, f) == 301 && line[300] == '\n' && size >= 302);
	CHECK(getline(&line, &size, f) == 6 && strcmp(line, "short\n") == 0);
	CHECK(getline(&line, &size, f) == 3 && strcmp(line, "end") == 0);
	CHECK(getline(&line, &size, f) == -1);
	free(line);
	fclose(f);
}

static void buffering(void)
{
	FILE *f = fopen("v", "w"), *g;

	CHECK(setvbuf(f, NULL, _IONBF, 0) == 0);
	fputc('x', f);
	g = fopen("v", "r");
	CHECK(fgetc(g) == 'x');
	CHECK(setvbuf(f, NULL, _IOLBF, 0) == 0);
	fputs("line\nrest", f);
	CHECK(fgetc(g) == 'l');
	CHECK(fseek(g, 0, SEEK_END) == 0 && ftell(g) >= 6);
	fclose(g);
	fclose(f);
	f = freopen("v", "r", fopen("b", "r"));
	CHECK(f && fgetc(f) == 'x');
	fclose(f);
}

static void formats(void)
{
	char s[40];
	int n = 0, a = 0;
	unsigned b = 0;

	CHECK(snprintf(s, sizeof s, "%5d|%-5d|%05d|%+d", 42, 42, 42, 42) == 21 && strcmp(s, "   42|42   |00042|+42") == 0);
	CHECK(snprintf(s, sizeof s, "%x %X %o %u %c %%", 255u, 255u, 8u, 4000000000u, 'z') == 23);
	CHECK(strcmp(s, "ff FF 10 4000000000 z %") == 0);
	CHECK(snprintf(s, 5, "%s", "too long") == 8 && strcmp(s, "too ") == 0);
	CHECK(snprintf(s, sizeof s, "%.3s|%8.2s|%-4s|", "abcdef", "xyz", "q") == 18);
	CHECK(strcmp(s, "abc|      xy|q   |") == 0);
	CHECK(snprintf(s, sizeof s, "%ld %hd %hhu", -5L, (short)-6, (unsigned char)7) == 7);
	CHECK(sscanf("12 0x1f word", "%d %x %3s%n", &a, &b, s, &n) == 3 && a == 12 && b == 31 && strcmp(s, "wor") == 0);
}

static void pipes(void)
{
	FILE *f = popen("echo from a shell", "r");
	char line[32] = "";

	CHECK(f && fgets(line, sizeof line, f) && strcmp(line, "from a shell\n") == 0);
	CHECK(f && pclose(f) == 0);
	f = popen("cat > piped; exit 3", "w");
	CHECK(f && fputs("to a shell\n", f) == 0);
	CHECK(f && pclose(f) == 3 << 8);
	f = fopen("piped", "r");
	CHECK(f && fgets(line, sizeof line, f) && strcmp(line, "to a shell\n") == 0);
	fclose(f);
	CHECK(system("exit 5") == 5 << 8 && system(NULL));
}

int main(void)
{
	FILE *left;

	modes();
	update();
	blocks();
	lines();
	buffering();
	formats();
	pipes();
	CHECK(dprintf(1, "%s %d\n", "dprintf", 1) == 10);
	CHECK(remove("f") == 0 && access("f", F_OK) < 0);
	left = fopen("left", "w");
	fputs("flushed by exit\n", left);
	fprintf(log_stream, "stream constant\n");
	return report();
}
