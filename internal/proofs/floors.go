package proofs

// tightness is, for each comparison of sections 6.1 and 6.3, a ratio of left to right side
// that its instances must reach: 0.95 of what they do, or a little more. With twice
// the right side they could not. Ratios near 1 are inequalities that are sharp;
// the low ones are where the text gives something away:
//
//   - (6.1.13), (6.1.20) to (6.1.22), against 0.3681: rounded up from 1/e by more than 13 kappa needs.
//   - (6.1.6): no edge but Lambda/2 is a power of two, which gains 3/8 for 1.
//   - (6.1.20), 19 eta, and (6.1.21), 10.17 eta: the errors are bounded one by one.
//   - (6.1.22), (6.1.24) to (6.1.26): the worst cases of their parts exclude each other.
//   - (6.3.5): where the binary64 draw is good the bound is that of the other draw, and B is small.
//   - (6.3.7): the two kinds differ by a grain 2^-1074 at a threshold, and are charged 2^-1022.
var tightness = map[string]map[string]float64{
	"6.1.1": {
		"1 <= l":         0.99,
		"eta <= kappa":   0.99,
		"kappa <= 2^-15": 0.55,
		"l < 2":          0.99,
	},
	"6.1.2": {
		"B + L/2 <= 2 max(B; lambda)": 0.99,
		"L/2 <= |c|":                  0.99,
		"|c| <= B + L/2":              0.99,
	},
	"6.1.3": {
		"c - t(c) <= eta |c|":   0.99,
		"eta |c|/2 <= c - t(c)": 0.99,
	},
	"6.1.6": {
		"|tau - L| <= 2 eta max(B; lambda)": 0.356,
		"|tau/lambda - l| <= 2 kappa":       0.356,
	},
	"6.1.7": {
		"2B + L/2 + 2 eta max(B; lambda) < 2^1023":     0.593,
		"2^-1015 <= eta |c|/2":                         0.99,
		"A <= 2B + L/2 + 2 eta max(B; lambda)":         0.99,
		"a <= 2 max(B; lambda)/lambda + l/2 + 2 kappa": 0.99,
		"eta |c|/2 <= A":                               0.99,
	},
	"6.1.8": {
		"A - M < g/2 for Y > A":   0.99,
		"A - M <= g/2 for Y >= A": 0.99,
		"M - A < g/2 for Y >= A":  0.989,
		"M - A <= g/2 for Y > A":  0.99,
		"g <= 2 eta A":            0.99,
	},
	"6.1.9": {
		"v - v° <= eta v": 0.949,
		"v° - v <= eta v": 0.949,
	},
	"6.1.10": {
		"P - T <= 2 eta T":           0.868,
		"T <= P in terms of 2 eta T": 0.989,
	},
	"6.1.11": {
		"-E^g <= 2 eta":              0.945,
		"-E^l <= eta (1 + eta) a":    0.949,
		"-E^m <= eta a":              0.989,
		"E^g <= 0 in terms of 2 eta": 0.946,
		"E^l <= eta (1 + eta) a":     0.949,
		"E^m <= eta a":               0.99,
	},
	"6.1.12": {
		"H - a <= 2 eta_1 a":         0.949,
		"a - H <= 2 eta_1 a + 2 eta": 0.989,
	},
	"6.1.13": {
		"13 kappa + 1 - l < 1 - 0.9996": 0.564,
		"l - (H_1 - H_2) <= 13 kappa":   0.494,
		"l q - 1/e <= 0.3681 - 1/e":     0.0944,
		"q - 1/e <= 0.3681 - 1/e":       0.0483,
	},
	"6.1.14": {
		"|Delta_2 - q Delta_1| <= G at q = 0":   0.89,
		"|Delta_2 - q Delta_1| <= G at q = 3/8": 0.912,
		"|Delta_2 - q Delta_1| <= G between":    0.912,
	},
	"6.1.15": {
		"ln(N'/N) + d/lambda <= (q delta_1 - delta_2)/(1 - q)": 0.99,
	},
	"6.1.16": {
		"(q delta_1 - delta_2)/(1 - q)":    0.758,
		"q delta_1 - delta_2":              0.759,
		"the last step":                    0.949,
		"the same at the largest q":        0.949,
		"the three parts at the largest a": 0.99,
	},
	"6.1.17": {
		"the last step": 0.665,
		"the middle":    0.949,
		"|H - H'| - |x - x'|/lambda <= 2 eta_1 (a + a') + 2 eta": 0.989,
		"|H - H'| - |x - x'|/lambda <= 8.001 kappa + 6.001 eta":  0.794,
		"|ln(N'/N)| <= |H - H'| inside":                          0.99,
	},
	"6.1.18": {
		"H + H' - (a + a') <= 2 eta_1 (a + a')":     0.989,
		"P (2 - P) <= 1":                            0.99,
		"ln(N/N') - (a + a') <= 2 eta_1 (a + a')":   0.949,
		"ln(N/N') - |x - x'|/lambda <= 4.001 kappa": 0.898,
		"the middle": 0.949,
		"|x - x'|/lambda <= 2 max(B; lambda)/lambda": 0.99,
	},
	"6.1.19": {
		"-ln 0.6319 <= 0.46":                                                0.947,
		"-ln(1 - q') <= -ln 0.6319":                                         0.949,
		"1 - tau/lambda <= 2 kappa":                                         0.237,
		"2 eta_1 (a_n + a_n') + 2 eta <= 4.001 kappa + 2 kappa":             0.453,
		"H_n' - H_n - (a_n + a_n') <= 2 eta_1 (a_n + a_n') + 2 eta":         0.929,
		"ln(N/N') < H_n' - H_n - ln(1 - q')":                                0.99,
		"q' - 1/e <= 0.3681 - 1/e":                                          0.0483,
		"the bound on ln(N/N') - |x - x'|/lambda + 1 < 1":                   0.435,
		"the bound on ln(N/N') - |x - x'|/lambda + 1 <= 0.46 + 8.001 kappa": 0.947,
	},
	"6.1.20": {
		"(1 - p)/2 <= N":                                                 0.99,
		"12.001/0.6319 <= 19":                                            0.949,
		"4 eta_1 (l + 2 kappa) + 4 eta < 12.001 eta":                     0.989,
		"P_1 P_2 - 1/e <= 0.3681 - 1/e":                                  0.00517,
		"l - (H_1 + H_2) <= 13 kappa":                                    0.389,
		"the last step":                                                  0.902,
		"|delta_1| + |delta_2| <= 4 eta_1 (l + 2 kappa) + 4 eta":         0.577,
		"|ln(N'/N)| - |x - x'|/lambda <= (|delta_1| + |delta_2|)/0.6319": 0.864,
		"|ln(N'/N)| - |x - x'|/lambda <= 19 eta":                         0.116,
	},
	"6.1.21": {
		"(1 - 2 eta_1) a_n' - H_n' <= 2 eta":         0.709,
		"(1 - p)/2 <= N":                             0.99,
		"P_1 P_2 - 1/e <= 0.3681 - 1/e":              0.012,
		"l - (H_1 + H_2) <= 13 kappa":                0.363,
		"ln((1 - e^-b)/(1 - e^-a)) <= 0.583 (b - a)": 0.948,
		"ln(N'/N) <= -(1 - 2 eta_1) a_n' + 2 eta + 0.583 (4 eta_1 (a_n' + l + 2 kappa) + 6 eta)": 0.205,
		"ln(N'/N) <= 10.17 eta":          0.147,
		"s' - s <= 4 eta_1 a_f' + 6 eta": 0.62,
		"the last step":                  0.483,
		"the middle":                     0.902,
	},
	"6.1.22": {
		"(1 - p)/2 <= N":         0.99,
		"2N <= e^a~_2 - e^-a~_1": 0.99,
		"4 eta_1 a_f' + 2 eta <= 8.001 kappa + 6.001 eta":                                      0.917,
		"P_1 P_2 - 1/e <= 0.3681 - 1/e":                                                        0.012,
		"l - (H_1 + H_2) <= 13 kappa":                                                          0.301,
		"ln((1 - e^-b)/(1 - e^-a)) <= 0.583 (b - a)":                                           0.948,
		"ln(N/N') - |x - x'|/lambda <= 2 eta_1 (a_2 + a_n') + 0.583 (8.001 kappa + 6.001 eta)": 0.548,
		"ln(N/N') - |x - x'|/lambda <= 8.67 kappa + 3.5 eta":                                   0.54,
		"s~ - s' <= 4 eta_1 a_f' + 2 eta":                                                      0.921,
		"the middle":                                                                           0.934,
	},
	"bound.1": {
		"|ln(N/N')|": 0.758,
	},
	"6.1.23": {
		"eta |c|/lambda <= kappa + eta":   0.99,
		"|E°| <= 5.001 kappa + 5.001 eta": 0.949,
		"|a - a°| <= eta |c|/lambda":      0.99,
	},
	"6.1.24": {
		"|e_2 - q e_1|/lambda <= (1 - q)(4.54 kappa + 2.4 eta)": 0.575,
		"|e_2 - q e_1|/lambda in its case":                      0.727,
		"|h_2 - q h_1| <= (1/2 - q) h_1":                        0.99,
		"|mu_2 - q mu_1| <= (1 - q) g_1/2 or (1/4 + q/2) g_1":   0.99,
	},
	"6.1.25": {
		"ln(N/N°) <= ±(q E°_1 - E°_2)/(1 - q)":        0.99,
		"ln(N/N°): the step <= 8.88 kappa + 5.57 eta": 0.649,
		"ln(N°/N) <= ±(q E°_1 - E°_2)/(1 - q)":        0.99,
		"ln(N°/N): the step <= 8.88 kappa + 5.57 eta": 0.45,
		"the last step": 0.937,
	},
	"6.1.26": {
		"the last step":                        0.94,
		"|E_1| + |E_2| <= 8.001 eta":           0.587,
		"|a - a°| <= kappa + eta":              0.949,
		"|ln(N/N°)| <= 1.59 kappa + 14.25 eta": 0.587,
	},
	"6.1.27": {
		"|ln(Pr[Snap_F(f) = r]/Pr[Snap_R(f) = r])|": 0.64,
	},
	"6.3.1": {
		"701.001 < 1012 ln 2": 0.949,
		"v° < 701.001":        0.948,
	},
	"6.3.2": {
		"P - T <= 2 eta T":                     0.932,
		"T - P <= 2^-62 T in terms of 2 eta T": 0.941,
		"T <= T* in terms of 2 eta T":          0.942,
		"T* - P <= 2^-62 T*":                   0.596,
		"T* - T <= 2 eta T":                    0.932,
	},
	"6.3.3": {
		"-E^g <= 2 eta":                      0.937,
		"E^g <= 0.002 eta in terms of 2 eta": 0.941,
		"H - a <= 2 eta_1 a + 0.002 eta":     0.942,
		"a - H <= 2 eta_1 a + 2 eta":         0.878,
	},
	"6.3.4": {
		"(6.1.13)":                   0.877,
		"(6.1.16)":                   0.949,
		"(6.1.17)":                   0.665,
		"(6.1.18)":                   0.19,
		"(6.1.19)":                   0.436,
		"(6.1.20)":                   0.949,
		"(6.1.21)":                   0.949,
		"(6.1.22)":                   0.948,
		"-ln(1 - 2^-62) < 0.002 eta": 0.927,
	},
	"6.3.5": {
		"|ln(N/N')|": 0.274,
	},
	"6.3.6": {
		"the distance of the two kinds <= 2^emin": 0.106,
	},
	"6.3.7": {
		"delta <= (1 + e^epsilon) 2^-1022": 2.55e-16,
	},
}
