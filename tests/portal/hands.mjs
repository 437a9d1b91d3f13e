// Whoever has no mouse: keys alone, each of them counted. What is written counts by its letters, apart from the keys that lead there.

/** How many times one presses Tab before one gives up. */
const FAR = 60;

export class Hands {
  #page;
  #presses = 0;
  #letters = 0;

  constructor(page) {
    this.#page = page;
  }

  async press(...keys) {
    for (const key of keys) {
      this.#presses += 1;
      await this.#page.keyboard.press(key);
    }
  }

  /** Writes over what stands in the field that has the focus. */
  async write(text) {
    await this.press('Control+a');
    await this.add(text);
  }

  /** Writes where one stands. */
  async add(text) {
    this.#letters += text.length;
    await this.#page.keyboard.type(text);
  }

  /** Goes to a thing by Tab, or back to it by Shift + Tab. */
  async reach(locator, back = false) {
    await locator.waitFor({ state: 'visible' });
    for (let count = 0; count <= FAR; count += 1) {
      if (await locator.evaluate((thing) => thing === document.activeElement)) return;
      await this.press(back ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`by ${FAR} presses of Tab one does not come to ${locator}`);
  }

  /** Goes to anything by a few letters, as the palette takes them. */
  async goTo(letters, found = letters) {
    await this.press('Control+k');
    await this.#page.getByRole('dialog').getByRole('option').first().waitFor();
    await this.add(letters);
    await this.#page.getByRole('dialog').getByRole('option', { selected: true }).filter({ hasText: found }).waitFor();
    await this.press('Enter');
    await this.#page.getByRole('dialog', { name: 'Go to anything' }).waitFor({ state: 'detached' });
  }

  /** What it took, as one reads it. */
  get took() {
    return `${this.#presses} presses and ${this.#letters} letters`;
  }

  get presses() {
    return this.#presses;
  }
}
