import type { MantineColorsTuple } from '@mantine/core'

type Rgb = readonly [number, number, number]

const DEFAULT_BRAND = '#2f5d8a'

// WCAG 2.2 AA for text: white stands on shade 6, shade 6 stands on white.
const LEAST_CONTRAST = 4.6

// How much white (positive) or black (negative) goes into each of Mantine's ten shades; the seventh is the accent itself.
const MIX = [0.93, 0.85, 0.7, 0.52, 0.34, 0.16, 0, -0.12, -0.26, -0.4]

/** Ten shades of a business's accent, darkened as far as needed for white text to be read on it. */
export function paletteOf(brandColor: string | undefined): MantineColorsTuple {
  const brand = readable(parse(brandColor) ?? parse(DEFAULT_BRAND) ?? [47, 93, 138])
  return MIX.map((share) => hex(mix(brand, share))) as unknown as MantineColorsTuple
}

function readable(color: Rgb): Rgb {
  let shade = color
  while (contrastWithWhite(shade) < LEAST_CONTRAST) shade = mix(shade, -0.04)
  return shade
}

function parse(text: string | undefined): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '')
  if (!match) return undefined
  return [
    Number.parseInt(match[1] ?? '0', 16),
    Number.parseInt(match[2] ?? '0', 16),
    Number.parseInt(match[3] ?? '0', 16),
  ]
}

function mix([red, green, blue]: Rgb, share: number): Rgb {
  const to = share > 0 ? 255 : 0
  const part = (from: number) => from + (to - from) * Math.abs(share)
  return [part(red), part(green), part(blue)]
}

function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function contrastWithWhite([red, green, blue]: Rgb): number {
  return 1.05 / (0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
