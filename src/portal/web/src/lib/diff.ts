// The difference of two texts, line by line: the longest common subsequence, found where the two differ only.

export interface DiffLine { sign: ' ' | '-' | '+'; text: string }

/** Beyond this many cells the middle is shown as all gone and all new: a page should not stand still for a prompt. */
const CELLS_MAX = 4_000_000;

/** What has to be taken from `a` and put in to make `b`. */
export function diff(a: string, b: string): DiffLine[] {
  return diffLists(a.split('\n'), b.split('\n'));
}

/** The same of two lists, item by item. */
export function diffLists(left: string[], right: string[]): DiffLine[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  return [
    ...same(left.slice(0, start)),
    ...middle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...same(left.slice(left.length - end)),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ sign: '-', text });
  const come = (text: string): DiffLine => ({ sign: '+', text });
  if (a.length * b.length > CELLS_MAX) return [...a.map(gone), ...b.map(come)];
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] ?? '' });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(gone(a[i++] ?? ''));
    else lines.push(come(b[j++] ?? ''));
  }
  return [...lines, ...a.slice(i).map(gone), ...b.slice(j).map(come)];
}

/** Keeps the lines that changed and some around them; a null stands for what is left out. */
export function around(lines: DiffLine[], context = 3): (DiffLine | null)[] {
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - context), index + context + 1).some((line) => line.sign !== ' '));
  const kept: (DiffLine | null)[] = [];
  lines.forEach((line, index) => {
    if (near[index]) kept.push(line);
    else if (kept.at(-1) !== null) kept.push(null);
  });
  return kept;
}
