import { getContrast, mix, toHex } from 'color2k'

/** Where a business has chosen none. */
export const DEFAULT_COLOR = '1f5f5b'

const PAPER = { light: '#ffffff', dark: '#1d2226' } as const
// WCAG 2.2, 1.4.3: text of any size.
const READABLE = 4.5

/** The color itself where it can be read on the paper, else the nearest shade toward `toward` that can. */
function readableOn(paper: string, color: string, toward: string): string {
  for (let step = 0; step <= 20; step++) {
    const shade = toHex(mix(color, toward, step / 20))
    if (getContrast(shade, paper) >= READABLE) return shade
  }
  return toward
}

/** Black or white, whichever is easier to read on the color. */
export const inkOn = (color: string): string =>
  getContrast(color, '#000000') > getContrast(color, '#ffffff') ? '#000000' : '#ffffff'

export interface Accent {
  /** Text and borders: the business's color, changed only as far as it must be to be read. */
  accent: string
  /** Buttons: the very color. Their border is the accent. */
  fill: string
  /** Text on them. */
  ink: string
}

/** A business's color for both appearances. `rrggbb`; anything else is a plain one. */
export function accentsOf(color: string): Record<'light' | 'dark', Accent> {
  const brand = /^[0-9a-f]{6}$/.test(color) ? `#${color}` : `#${DEFAULT_COLOR}`
  const fill = { fill: brand, ink: inkOn(brand) }
  return {
    light: { accent: readableOn(PAPER.light, brand, '#000000'), ...fill },
    dark: { accent: readableOn(PAPER.dark, brand, '#ffffff'), ...fill },
  }
}
