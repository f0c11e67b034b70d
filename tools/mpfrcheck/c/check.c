/* check compares claimed natural logarithms with MPFR.
 *
 * usage: check x     records on standard input: x, y
 *        check pair  records on standard input: m, e, y
 *
 * All fields are 64 bits, little-endian. x and y are binary64 patterns; a pair
 * stands for u = (1 + m 2^-52) 2^-e with m < 2^52 and e a signed integer. y is
 * compared with the logarithm rounded to nearest, ties to even; any NaN equals
 * any NaN. The first 20 differences are printed in full, then the counts.
 *
 * Exit status: 0 no difference, 1 differences, 2 bad input.
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <mpfr.h>

enum { SHOWN = 20, BATCH = 4096, MAXPREC = 1 << 15 };

static uint64_t load(const unsigned char *p)
{
	uint64_t v = 0;
	for (int i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

static double todouble(uint64_t b)
{
	double d;
	memcpy(&d, &b, sizeof d);
	return d;
}

static uint64_t tobits(double d)
{
	uint64_t b;
	memcpy(&b, &d, sizeof b);
	return b;
}

/* mpfr_log rounds correctly at 53 bits and flags every special case as IEEE
 * 754 does. No logarithm of a binary64 is subnormal or overflows, so MPFR's
 * wide exponent range cannot matter: |ln x| >= 2^-53 unless it is 0. */
static uint64_t ln_x(uint64_t x)
{
	static mpfr_t a, y;
	static int ready;
	if (!ready) {
		mpfr_init2(a, 53);
		mpfr_init2(y, 53);
		ready = 1;
	}
	mpfr_set_d(a, todouble(x), MPFR_RNDN); /* exact, subnormals included */
	mpfr_log(y, a, MPFR_RNDN);
	return tobits(mpfr_get_d(y, MPFR_RNDN));
}

/* ln(1 + m 2^-52) - e ln 2 with precision doubled until the rounding is
 * decided. Error: each of the two terms has, from at most two roundings, an
 * absolute error below 2^(E-p+1), E the larger of their MPFR exponents, and
 * the difference adds at most 2^(E+1-p): less than 2^(E-p+3) in all. Returns 0
 * and sets *undecided if MAXPREC bits are not enough, which for transcendental
 * values means a mistake here. */
static uint64_t ln_pair(uint64_t m, int64_t e, int *undecided)
{
	uint64_t r = 0;
	mpfr_t t, l, k, y;
	if (m == 0 && e == 0)
		return 0;
	mpfr_init2(t, 64);
	mpfr_inits2(64, l, k, y, (mpfr_ptr)0);
	mpfr_set_uj(t, m | (uint64_t)1 << 52, MPFR_RNDN);
	mpfr_div_2ui(t, t, 52, MPFR_RNDN); /* exact */
	*undecided = 1;
	for (mpfr_prec_t p = 128; p <= MAXPREC; p *= 2) {
		mpfr_set_prec(l, p);
		mpfr_set_prec(k, p);
		mpfr_set_prec(y, p);
		mpfr_log(l, t, MPFR_RNDN);
		mpfr_const_log2(k, MPFR_RNDN);
		mpfr_mul_si(k, k, (long)e, MPFR_RNDN);
		mpfr_sub(y, l, k, MPFR_RNDN);
		if (mpfr_zero_p(y))
			continue;
		mpfr_exp_t big = mpfr_get_exp(y);
		if (!mpfr_zero_p(l) && mpfr_get_exp(l) > big)
			big = mpfr_get_exp(l);
		if (!mpfr_zero_p(k) && mpfr_get_exp(k) > big)
			big = mpfr_get_exp(k);
		mpfr_exp_t err = mpfr_get_exp(y) - (big - p + 3);
		if (err > 0 && mpfr_can_round(y, err, MPFR_RNDN, MPFR_RNDZ, 54)) {
			r = tobits(mpfr_get_d(y, MPFR_RNDN));
			*undecided = 0;
			break;
		}
	}
	mpfr_clears(t, l, k, y, (mpfr_ptr)0);
	return r;
}

static int same(uint64_t a, uint64_t b)
{
	return a == b || (isnan(todouble(a)) && isnan(todouble(b)));
}

int main(int argc, char **argv)
{
	static unsigned char buf[BATCH * 24];
	uint64_t records = 0, bad = 0;
	int pair = argc == 2 && strcmp(argv[1], "pair") == 0;
	if (!pair && (argc != 2 || strcmp(argv[1], "x") != 0)) {
		fprintf(stderr, "usage: check x|pair < records\n");
		return 2;
	}
	size_t size = pair ? 24 : 16, n;
	while ((n = fread(buf, 1, BATCH * size, stdin)) > 0) {
		if (n % size != 0) {
			fprintf(stderr, "check: the input ends inside a record\n");
			return 2;
		}
		for (size_t i = 0; i < n; i += size, records++) {
			uint64_t a = load(buf + i), have = load(buf + i + size - 8), want;
			int64_t e = 0;
			if (pair) {
				int undecided = 0;
				e = (int64_t)load(buf + i + 8);
				if (a >> 52) {
					fprintf(stderr, "check: record %" PRIu64 ": m = %#" PRIx64 " is not below 2^52\n", records, a);
					return 2;
				}
				want = ln_pair(a, e, &undecided);
				if (undecided) {
					fprintf(stderr, "check: record %" PRIu64 ": undecided at %d bits\n", records, MAXPREC);
					return 2;
				}
			} else {
				want = ln_x(a);
			}
			if (same(have, want) || bad++ >= SHOWN)
				continue;
			if (pair)
				printf("difference: m=0x%013" PRIx64 " e=%" PRId64, a, e);
			else
				printf("difference: x=0x%016" PRIx64 " (%a)", a, todouble(a));
			printf(" have 0x%016" PRIx64 " (%a) mpfr 0x%016" PRIx64 " (%a)\n",
			       have, todouble(have), want, todouble(want));
		}
	}
	if (ferror(stdin)) {
		perror("check: reading records");
		return 2;
	}
	printf("records %" PRIu64 " differences %" PRIu64 "\n", records, bad);
	mpfr_free_cache();
	return bad != 0;
}
