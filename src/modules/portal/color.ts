type Rgb = readonly [number, number, number]

const DEFAULT = '1f5f5b'
const PAPER = { light: '#ffffff', dark: '#1d2226' } as const
// WCAG 2.2, 1.4.3: text of any size.
const READABLE = 4.5

const parse = (hex: string): Rgb => {
  const at = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [at(1), at(3), at(5)]
}
const format = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = parse(hex).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** From 1 to 21, WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The color itself where it can be read on the paper, else the nearest shade toward `toward` that can. */
function readableOn(paper: string, color: string, toward: string): string {
  const [from, to] = [parse(color), parse(toward)]
  for (let step = 0; step <= 20; step++) {
    const share = step / 20
    const shade = format(from.map((part, index) => part + ((to[index] ?? 0) - part) * share) as unknown as Rgb)
    if (contrast(shade, paper) >= READABLE) return shade
  }
  return toward
}

const inkOn = (color: string) => (contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000000' : '#ffffff')

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
  const brand = /^[0-9a-f]{6}$/.test(color) ? `#${color}` : `#${DEFAULT}`
  const fill = { fill: brand, ink: inkOn(brand) }
  return {
    light: { accent: readableOn(PAPER.light, brand, '#000000'), ...fill },
    dark: { accent: readableOn(PAPER.dark, brand, '#ffffff'), ...fill },
  }
}

export const DEFAULT_COLOR = DEFAULT
