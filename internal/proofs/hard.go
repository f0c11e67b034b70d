package proofs

import "github.com/dp-crosscheck/crosscheck/spec"

// hard are instances found by search, by the check in which they bring two sides
// nearer to each other than what is generated does. The claimed constants of a
// witness are not used.
var hard = map[string][]witness{
	"6.1.2": {
		{scale: spec.ScaleEpsilon, value: 0x1.ffffffffffffep-3, lo: 0x1.712377372bf84p+1, hi: 0x1.0000000000002p+2, f: 0x1.fce61784008f7p+1, f2: 0x1.712377372bf84p+1, r: 0x1.712377372bf84p+1, kind: spec.Unbounded},
	},
	"6.1.7": {
		{scale: spec.ScaleEpsilon, value: 0x1.a9a730bdb5255p-1012, lo: -0x1.6006b69b9d0bp+952, hi: 0x1.fff9e562e51b3p+1020, f: -0x1.6006b69b9d0bp+952, f2: -0x1.3006b69b9d0aep+952, r: 0x1.fff9e562e51b3p+1020, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.d75561b1aef06p-943, lo: 0x1.28475509ef4c1p-943, hi: 0x1.03b2a76119143p-942, f: 0x1.bce3556968a2cp-943, f2: 0x1.b7f54372742cp-943, r: 0x1p-942, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.01fffffffffffp+0, lo: 0x1.aec3654a27ee3p-3, hi: 0x1.0000000000002p+2, f: 0x1p+0, f2: 0x1.0000000000006p+1, r: 0x1.aec3654a27ee3p-3, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1p-960, lo: -0x1p-960, hi: 0x1p-960, f: 0x1p-961, f2: 0x1p-962, r: 0x0p+0, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1p+1021, lo: -0x1p+1021, hi: 0x1p+1021, f: 0x1p+1020, f2: 0x1p+1019, r: 0x0p+0, kind: spec.Unbounded},
	},
	"6.1.8": {
		{scale: spec.ScaleEpsilon, value: 0x1.00d2494fa9c03p+0, lo: -0x1.49489020b1269p-31, hi: 0x1p-30, f: -0x1.0000000000001p-32, f2: -0x1.49489020b1269p-31, r: -0x1.49489020b1269p-31, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.7fffffff41006p+0, lo: -0x1.000000300155dp+24, hi: 0x1.000000000155dp+24, f: 0x1.fe4000017ffffp+3, f2: 0x1.000000000155dp+24, r: 0x1p+24, kind: spec.Unbounded},
	},
	"6.1.10": {
		{scale: spec.ScaleEpsilon, value: 0x1.5c63a5e914459p+0, lo: -0x1.5cf22388d330bp+11, hi: 0x1.7834p+12, f: 0x1.199ffffffffffp+10, f2: -0x1.5cf22388d330bp+11, r: 0x1.2f8p+9, kind: spec.Unbounded},
	},
	"6.1.11": {
		{scale: spec.ScaleEpsilon, value: 0x1.dcfdfdd76b937p+0, lo: -0x1.b095a4375351ap+16, hi: 0x1.b095a4375351ap+16, f: -0x1.12114bb1d7302p+16, f2: -0x1.12114c0ee6d07p+16, r: 0x1.2d56p+16, kind: spec.Unbounded},
	},
	"6.1.12": {
		{scale: spec.ScaleEpsilon, value: 0x1.ffffffffffffdp-1, lo: -0x1p+36, hi: 0x1p+36, f: 0x1.e8d6dde2cp+34, f2: 0x1.e8f6dde34p+34, r: 0x1.e8f6dde3p+34, kind: spec.Unbounded},
	},
	"6.1.13": {
		{scale: spec.ScaleEpsilon, value: 0x1.01fffffffff8p+0, lo: -0x1.485ff11093eedp-1, hi: 0x1.0000000000001p+0, f: -0x1.2064afeea9ad5p-1, f2: -0x1.485ff11093eedp-1, r: 0x1p+0, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.0003e832b5b2fp+0, lo: -0x1.7fd99a101e739p+37, hi: 0x1.2051e8aa0106p+37, f: 0x1.1edc2a1e920f7p+37, f2: -0x1.1e42ff3468b09p+35, r: -0x1p+37, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.ffffc87cdd87dp-1, lo: -0x1.1ffa590577009p+36, hi: 0x1.000515dc591dp+37, f: -0x1.54620b65f4eecp+34, f2: 0x1.fffffffc04p+36, r: 0x1p+37, kind: spec.Unbounded},
	},
	"6.1.14": {
		{scale: spec.ScaleEpsilon, value: 0x1.ffffffffffffcp-1, lo: 0x1.8a4ab3f49c98p+18, hi: 0x1p+23, f: 0x1.ce8634ec73f57p+18, f2: 0x1.345a577d9cd0cp+19, r: 0x1.fffffp+22, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.ffffffffffffcp-1, lo: 0x1.8a4ab3f49c98p+18, hi: 0x1.00000003ba6p+23, f: 0x1.ce8634ec73f57p+18, f2: 0x1.345a577d9cd0cp+19, r: 0x1p+23, kind: spec.Unbounded},
	},
	"6.1.17": {
		{scale: spec.ScaleLambda, value: 0x1.000000000002p-3, lo: -0x1.0000000000001p+26, hi: 0x1.0000000000001p+26, f: -0x1.0000000000001p+26, f2: -0x1.0000000000001p+26, r: 0x1.0000000000001p+26, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fffffffffffffp-1, lo: 0x1.549d99d07c712p+16, hi: 0x1.7ffd7d174d9e3p+19, f: 0x1.549d9ad11f70bp+16, f2: 0x1.949d81458b268p+16, r: 0x1.549d99d07c712p+16, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.147eefeba5ab8p-1, lo: -0x1.0000000e00442p+13, hi: 0x1.0000000000003p+13, f: -0x1.0000000e00003p+13, f2: -0x1.fffffe50f02d9p+12, r: 0x1.0000000000003p+13, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.0003f1d75a708p+0, lo: -0x1.fff81c7069aadp+0, hi: 0x1.fff81c7069aadp+0, f: -0x1.8000000000002p+0, f2: -0x1.8000000000001p+0, r: -0x1.fff81c7069aadp+0, kind: spec.Unbounded},
	},
	"6.1.18": {
		{scale: spec.ScaleLambda, value: 0x1.ffffffffffffdp+0, lo: -0x1.ae1f7386406f7p+20, hi: 0x1.ae1f7386406f7p+20, f: -0x1.6e1f7p+20, f2: -0x1.ae1f701p+20, r: -0x1.ae1f7386406f7p+20, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fffffffffffffp-2, lo: -0x1.0e7ff1bb39d32p+10, hi: 0x1.0e7ff1bb39d32p+10, f: -0x1.0e70000000001p+10, f2: 0x1.e32032830d857p+9, r: -0x1.0e7ff1bb39d32p+10, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fffffffffffffp-2, lo: -0x1.0e71e62bff79dp+10, hi: 0x1.0e71e62bff79dp+10, f: -0x1.0e70000000001p+10, f2: 0x1.e32182378d857p+9, r: -0x1.0e71e62bff79dp+10, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.ffffffffff461p-1, lo: -0x1p+34, hi: 0x1p+34, f: 0x1p+34, f2: -0x1p+34, r: 0x1p+34, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fcp-22, lo: -0x1p+7, hi: 0x1p+7, f: 0x1p+7, f2: -0x1p+7, r: -0x1p+7, kind: spec.Unbounded},
	},
	"6.1.19": {
		{scale: spec.ScaleEpsilon, value: 0x1.000000000006p+2, lo: -0x1.2b2d4d32acb44p+34, hi: 0x1.00000001074b7p+35, f: 0x1.bf0173fc593ccp+34, f2: 0x1.00000000d1186p+35, r: 0x1p+35, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.ffc48fb12be3ep-2, lo: -0x1.1475aa9930d26p+25, hi: 0x1.1e9e74d9800ebp+26, f: 0x1.0561cc7f9409ap+26, f2: -0x1.0008000000001p+11, r: -0x1p+11, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.000000000ea7fp+2, lo: -0x1.ba4d4da44592fp+33, hi: 0x1.000f25f172ae8p+35, f: -0x1.ba4d4da44592ep+33, f2: 0x1.000f25f172ae7p+35, r: 0x1p+35, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.000007f69f4d4p+2, lo: -0x1.7ff7ff4830d2ep+35, hi: 0x1.ffa14510ef47fp+35, f: -0x1.fe72a4983bea9p+34, f2: 0x1.0000000004p+35, r: 0x1p+35, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1p+20, lo: -0x1.3ef2051150c54p+19, hi: 0x1.3ef2051150c54p+19, f: 0x1.0000000000001p+19, f2: -0x1.3ef2051150c54p+19, r: 0x0p+0, kind: spec.Unbounded},
	},
	"6.1.20": {
		{scale: spec.ScaleLambda, value: 0x1.ffffedafc9f1cp-3, lo: -0x1.e06383dbe8322p+33, hi: 0x1.0e3fab4e6d727p+34, f: 0x1.fffffffffaa02p+33, f2: 0x1.0000000007fe2p+34, r: 0x1p+34, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.0000140008p+0, lo: -0x1.40258cbaf1568p-2, hi: 0x1.40258bb926b61p-2, f: 0x1.40258bb926b61p-2, f2: 0x1.2a3bac0b407d4p-4, r: 0x0p+0, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.0000000008p+0, lo: -0x1.40258db91b38dp-2, hi: 0x1.40258db91b38dp-2, f: 0x1.40258d8b3d90dp-2, f2: 0x1.2a46c0eb407d4p-3, r: 0x0p+0, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.2f9656d19eb5cp+1, lo: 0x1.2cd9e9eee4cc6p+15, hi: 0x1.2fdfc1e7b9de7p+16, f: 0x1.7166800000001p+15, f2: 0x1.71668p+15, r: 0x1.7167p+15, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.2ef7cccd5b6d6p+1, lo: 0x1.716571938325cp+15, hi: 0x1.adb92033460c4p+15, f: 0x1.7166800000002p+15, f2: 0x1.71668p+15, r: 0x1.7167p+15, kind: spec.Unbounded},
	},
	"6.1.21": {
		{scale: spec.ScaleEpsilon, value: 0x1.000020054ea58p+0, lo: -0x1.4ebbb3db38c3cp+1, hi: 0x1.d13927e23c565p+2, f: 0x1.600000001p+2, f2: 0x1.367bae2cd2303p+2, r: 0x1.8p+2, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.ffffffffffe95p-2, lo: 0x1.04dc5c66bc7d8p+35, hi: 0x1.ff9ffffe00121p+36, f: 0x1.0000000004002p+36, f2: 0x1.fffffffffd504p+35, r: 0x1p+36, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fffffffee7d3cp-1, lo: -0x1.fec9d7c90a384p-1, hi: 0x1.00000001cbf87p+0, f: -0x1.fec9d7a93c04p-1, f2: 0x1.e4c92fb0fc7a3p-1, r: 0x1p+0, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.00000007c19b1p+0, lo: -0x1.ae0c0c72c4ea8p-1, hi: 0x1.5dc0ebdad055ep-2, f: -0x1p-1, f2: -0x1.0000000000001p-1, r: 0x0p+0, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.00002p+0, lo: -0x1.4ebbb3db38c3cp+2, hi: 0x1.d1ff79e23c565p+2, f: 0x1.600000001p+2, f2: 0x1.367d06f27b51fp+2, r: 0x1.4p+2, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fffffe95e6cfp-1, lo: -0x1.0000000000004p-1, hi: 0x1.0000000000004p-1, f: -0x1.fffffffffffffp-3, f2: 0x1.0000000000004p-1, r: 0x0p+0, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.fffffffffffffp+0, lo: -0x1.6e8488f6cc3c9p+36, hi: 0x1.864e87a9cd7efp+4, f: 0x1p-1, f2: 0x1.db9b958afdb69p-2, r: 0x0p+0, kind: spec.Unbounded},
	},
	"6.1.22": {
		{scale: spec.ScaleEpsilon, value: 0x1p+1, lo: -0x1.3a3b445d681a3p+35, hi: 0x1.001376c000005p+36, f: 0x1.fffffffff8079p+35, f2: -0x1.e3eb425d681a3p+33, r: 0x1p+36, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.fffc2062986adp-1, lo: -0x1.eb9ec0155d5dp-8, hi: 0x1.00000004p+0, f: 0x1.00000004p+0, f2: -0x1.eb9c61d2e6534p-8, r: 0x0p+0, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.d62392355f631p+21, lo: -0x1.0451328795926p+49, hi: 0x1.0a60acbbd72c5p+49, f: -0x1.f0d6e3a000001p+48, f2: 0x1.0a60acb85e6bcp+49, r: -0x1.f0d6e3cp+48, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.fffffffebffc1p-1, lo: -0x1p+36, hi: 0x1.ef275d21d522p+30, f: -0x1.0000ffffffff7p+16, f2: -0x1.00010038001f2p+16, r: -0x1p+16, kind: spec.Unbounded},
	},
	"6.1.23": {
		{scale: spec.ScaleLambda, value: 0x1.e5fb6ef96ffebp+00, lo: -0x1.5a43dd2e32379p+14, hi: 0x1.5a43dd2e32379p+14, f: -0x1.147cd8dbb485fp+14, f2: -0x1.147cd8dbb4839p+14, r: 0x1.5a38p+14, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.ffffffffffffdp+01, lo: -0x1.0000000000001p+06, hi: 0x1.0000000000001p+06, f: 0x1.effffffffffffp+05, f2: 0x1.efffffffffff9p+05, r: -0x1.0000000000001p+06, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.ab5ecce5b4bd6p-02, lo: -0x1.726aa500db377p-04, hi: -0x1.cc7a09e017f94p-06, f: -0x1p-05, f2: -0x1.726aa500db377p-04, r: -0x1.726aa500db377p-04, kind: spec.Unbounded},
	},
	"6.1.24": {
		{scale: spec.ScaleLambda, value: 0x1.0ffffffffffffp+00, lo: -0x1p+18, hi: -0x1.7b296e7d42b7cp+17, f: -0x1.f31d4926311d3p+17, f2: -0x1.f31d48f229378p+17, r: -0x1.c742p+17, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.7030ca644c18p+23, lo: -0x1.1765a7f8f6b97p+54, hi: 0x1.1765a7f8f6b97p+54, f: -0x1.f1fa00c9e4585p+53, f2: -0x1.e101cf865936cp+52, r: 0x1.1765a7f4p+54, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fe6fc18033fdbp-04, lo: -0x1.034df60196c8fp+07, hi: 0x1.0b8e1d64655b1p+07, f: 0x1.0ae9b6314ddaep+07, f2: 0x1.0ae9b6314ddb6p+07, r: -0x1p+07, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fefa62d209107p+01, lo: -0x1p+03, hi: 0x1p+03, f: 0x1p+03, f2: 0x1.bd63c5b85fecep+02, r: 0x0p+00, kind: spec.Unbounded},
	},
	"6.1.25": {
		{scale: spec.ScaleEpsilon, value: 0x1.0695ab0a066d6p-216, lo: -0x1.63f80598d21f4p+237, hi: -0x1.3bc258b2ef979p+236, f: -0x1.fe80b80000002p+236, f2: -0x1.fe80b7ffffff4p+236, r: -0x1.3bc26p+236, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.cp-05, lo: -0x1.3e95b4090b79ap+29, hi: 0x1.3e95b4090b79ap+29, f: -0x1.f4d432689241dp+28, f2: -0x1.f4d4326837f05p+28, r: 0x1.3e95b409p+29, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.8ee2fededc8fp-128, lo: 0x1.d96f5045c014p-117, hi: 0x1p-115, f: 0x1.dfa046cc934efp-116, f2: 0x1.b5bec38d858afp-116, r: 0x1.ecp-117, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.fffa36dff36e2p-03, lo: -0x1.0000000000002p+25, hi: 0x1.0000000000002p+25, f: 0x1.0000000000002p+25, f2: 0x1p+25, r: -0x1.ffffffcp+24, kind: spec.Unbounded},
	},
	"6.1.26": {
		{scale: spec.ScaleEpsilon, value: 0x1.ffffffffffff8p-21, lo: -0x1.8f3c5bba79a9cp+19, hi: 0x1.8f3c5bba79a9cp+19, f: -0x1.8f3c5bba79a9cp+19, f2: -0x1.8f3c5bba78eeap+19, r: 0x0p+00, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.0000000000007p+00, lo: -0x1.c58ae14cba44fp+07, hi: 0x1.c58ae14cba44fp+07, f: 0x1.bf3c60f2ecbaep+07, f2: 0x1.bf3c60f2ecbacp+07, r: 0x1.cp+07, kind: spec.Unbounded},
		{scale: spec.ScaleEpsilon, value: 0x1.4bf03adfe4146p+274, lo: -0x1.0000000000002p-239, hi: 0x1.0000000000002p-239, f: -0x1.0000000000002p-239, f2: -0x1.d037bfba00002p-243, r: -0x1p-239, kind: spec.Unbounded},
		{scale: spec.ScaleLambda, value: 0x1.f1f7feefecabfp-21, lo: -0x1.0472562284476p+13, hi: 0x1.0472562284476p+13, f: 0x1.00184372bffffp+13, f2: 0x1.001843731a287p+13, r: 0x1.001843728p+13, kind: spec.Unbounded},
	},
	"6.3.1": {
		{scale: spec.ScaleLambda, value: 0x1.fff8p+18, lo: -0x1.5dfa88p+27, hi: 0x1.5dfa88p+27, f: -0x1.5dfa88p+27, f2: 0x1.5d8ac78015666p+27, r: 0x1.5dfa88p+27, kind: spec.FloatRange},
		{scale: spec.ScaleLambda, value: 0x1.0000000000004p+08, lo: -0x1.1360533f0590ap+16, hi: 0x1.5e00000000004p+16, f: 0x1.5e00000000004p+16, f2: 0x1.5dfffffffffffp+16, r: 0x1.18p+16, kind: spec.FloatRange},
	},
	"6.3.2": {
		{scale: spec.ScaleLambda, value: 0x1.affa77b2bfbcfp+00, lo: -0x1.22a0144107dafp+07, hi: 0x1.67a063eb8b1f8p+08, f: 0x1.23fffffffffffp+06, f2: -0x1p+02, r: -0x1p+02, kind: spec.FloatRange},
		{scale: spec.ScaleLambda, value: 0x1.002p-04, lo: -0x1.79c2fd23d1b09p+03, hi: 0x1.5e2bcp+04, f: -0x1p+03, f2: -0x1.0000000000001p+03, r: -0x1p-03, kind: spec.FloatRange},
		{scale: spec.ScaleLambda, value: 0x1.00000008p+24, lo: -0x1.5e00000aeffffp+32, hi: 0x1.5e00000aeffffp+32, f: -0x1.5e00000aeffffp+32, f2: 0x1.573762bb7beecp+32, r: 0x1.5e00000aeffffp+32, kind: spec.FloatRange},
	},
	"6.3.3": {
		{scale: spec.ScaleLambda, value: 0x1.0000000000007p-01, lo: -0x1.8c235a6a3b049p+06, hi: 0x1.5e00000000009p+07, f: -0x1.8c235a6a3b049p+06, f2: 0x1.5d376d3027f1ap+07, r: 0x1.5e00000000009p+07, kind: spec.FloatRange},
		{scale: spec.ScaleLambda, value: 0x1.fffffffffffffp-01, lo: -0x1.f3cd9bab5cdd3p+07, hi: -0x1.79df9d3b974a5p+05, f: -0x1.72fffffffffffp+07, f2: -0x1.73p+07, r: -0x1.f3cd9bab5cdd3p+07, kind: spec.FloatRange},
		{scale: spec.ScaleLambda, value: 0x1.ffffffffp+22, lo: -0x1.2032189121b47p+31, hi: 0x1.2032189121b47p+31, f: -0x1.2032189121b47p+31, f2: -0x1.00000004p+30, r: 0x1.2032189121b47p+31, kind: spec.FloatRange},
		{scale: spec.ScaleLambda, value: 0x1.e2dbdbecf9fefp+23, lo: -0x1.aab2926f9dc55p+31, hi: 0x1.eb9db4274a465p+31, f: 0x1.d9b99738632c2p+30, f2: 0x1.d9b99738632b9p+30, r: 0x1.e8p+31, kind: spec.FloatRange},
	},
	"6.3.5": {
		{scale: spec.ScaleLambda, value: 0x1.fbf78de97e3fep+00, lo: -0x1.5b3e3a029d4dap+09, hi: 0x1.5b3e3a029d4dap+09, f: -0x1.31p+09, f2: -0x1.5b3e3a029d4dap+09, r: 0x1.5bp+09, kind: spec.FloatRange},
	},
}
