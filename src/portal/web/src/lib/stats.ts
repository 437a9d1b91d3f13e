// The statistics of tables: means with Student's interval, shares with Wilson's; both for 95 %.

/** What was found, between which bounds it lies, and of how many; no bounds where one alone says nothing of them. */
export interface Estimate { value: number; low: number | null; high: number | null; n: number }

/** The normal distribution's quantile for 97.5 %. */
const Z = 1.959963984540054;
const LANCZOS = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];

/** The logarithm of the gamma function, by Lanczos; for arguments of at least a half. */
function logGamma(x: number): number {
  const [first = 0, ...rest] = LANCZOS;
  const base = x + 6.5;
  const sum = rest.reduce((sum, coefficient, index) => sum + coefficient / (x + index), first);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

/** The continued fraction of the incomplete beta function, by Lentz. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const held = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let [c, d] = [1, 1 / held(1 - ((a + b) * x) / (a + 1))];
  let sum = d;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      [c, d] = [held(1 + term / c), 1 / held(1 + term * d)];
      step = c * d;
      sum *= step;
    }
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return sum;
}

/** The regularized incomplete beta function. */
function beta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Student's quantile for so many degrees of freedom: so much of the distribution, at least a half, lies below it. */
export function quantileOfT(share: number, degrees: number): number {
  const above = (t: number): number => 0.5 * beta(degrees / (degrees + t * t), degrees / 2, 0.5);
  let [low, high] = [0, 1];
  while (above(high) > 1 - share) high *= 2;
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (above(middle) > 1 - share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean, with Student's interval. */
export function meanOf(values: number[]): Estimate {
  const [n, value] = [values.length, mean(values)];
  if (n < 2) return { value, low: null, high: null, n };
  const error = Math.sqrt(values.reduce((sum, each) => sum + (each - value) ** 2, 0) / (n - 1) / n);
  const far = quantileOfT(0.975, n - 1) * error;
  return { value, low: value - far, high: value + far, n };
}

/** So many of so many, as a share with Wilson's interval. */
export function shareOf(count: number, n: number): Estimate {
  if (n === 0) return { value: NaN, low: null, high: null, n };
  const [p, z2] = [count / n, Z * Z];
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const far = (Z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return { value: p, low: Math.max(0, middle - far), high: Math.min(1, middle + far), n };
}
