/** Numbers with exponents outside this range are written with one. */
const [LEAST_EXPONENT, FIRST_LARGE_EXPONENT] = [-4, 6];

/** A number in Go's shortest form, as the real CLI writes it: `1e+06`, `1.234e-05`. */
export function goNumber(n: number): string {
    const exponential = n.toExponential();
    const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
    if (exponent >= LEAST_EXPONENT && exponent < FIRST_LARGE_EXPONENT) return String(n);
    return exponential.replace(/e([+-])(\d)$/, "e$10$2");
}
