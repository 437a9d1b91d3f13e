// Light or dark: as the system has it, or as somebody chose in this browser.

export type Theme = 'system' | 'light' | 'dark';
const THEMES: Theme[] = ['system', 'light', 'dark'];

class Themes {
  now = $state<Theme>(stored());

  /** Goes to the next of the three, and keeps it. */
  turn(): void {
    this.set(THEMES[(THEMES.indexOf(this.now) + 1) % THEMES.length] ?? 'system');
  }
  set(theme: Theme): void {
    this.now = theme;
    this.show();
    try {
      localStorage.setItem('theme', theme);
    } catch {
      // A browser that keeps nothing keeps no theme.
    }
  }
  show(): void {
    if (this.now === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.now;
  }
}

function stored(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem('theme')) ?? 'system';
  } catch {
    return 'system';
  }
}

export const themes = new Themes();
