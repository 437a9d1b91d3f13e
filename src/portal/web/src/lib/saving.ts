// Saving: a text as a file of whoever looks.

/** Has the browser save a text under a name. */
export function saveText(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
