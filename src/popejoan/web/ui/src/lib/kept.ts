// What this browser keeps: names, tokens, tastes. Nothing is lost when it may keep nothing.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`popejoan:${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`popejoan:${name}`);
    else localStorage.setItem(`popejoan:${name}`, value);
  } catch {
    // A browser that keeps nothing still has the cookie.
  }
}
