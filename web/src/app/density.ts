export type Density = 'comfortable' | 'compact'

const KEY = 'kitlane.density'

/** How close rows stand, as this browser remembers it. */
export function readDensity(): Density {
  return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable'
}

/** Shows the density at once and remembers it; `base.css` has the distances. */
export function setDensity(density: Density): void {
  localStorage.setItem(KEY, density)
  showDensity()
}

export function showDensity(): void {
  document.documentElement.dataset.density = readDensity()
}
