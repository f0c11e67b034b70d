/* Reads lines "p M e", M in hex: writes the natural logarithm of M 2^e rounded by
   MPFR to p bits, to nearest even, as "S x": S 2^x, S in hex. */
#include <gmp.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned long p;
  long e;
  mpz_t m;
  mpfr_t x, y;
  mpz_init(m);
  mpfr_init2(x, 53);
  mpfr_init2(y, 53);
  mpfr_set_emin(mpfr_get_emin_min());
  while (gmp_scanf("%lu %Zx %ld", &p, m, &e) == 3) {
    mpfr_set_prec(x, p);
    mpfr_set_prec(y, p);
    if (mpfr_set_z_2exp(x, m, e, MPFR_RNDN) != 0)
      return 1; /* M has more than p bits, or e is out of range */
    mpfr_log(y, x, MPFR_RNDN);
    mpfr_exp_t at = mpfr_get_z_2exp(m, y);
    gmp_printf("%Zx %ld\n", m, (long)at);
  }
  return 0;
}
