import type { MantineColorsTuple } from '@mantine/core'
import { getContrast, mix, toHex } from 'color2k'

const DEFAULT_BRAND = '#2f5d8a'

// WCAG 2.2 AA for text: white stands on shade 6, shade 6 stands on the paper of the page, also on a row below the mouse.
const LEAST_CONTRAST = 4.6
const PAPER = '#f3efe6'

/** Ten shades of a business's accent; the seventh is the accent, darkened until it can be read on the page, and white text on it. */
export function paletteOf(brandColor = DEFAULT_BRAND): MantineColorsTuple {
  const accent = readable(/^#[0-9a-f]{6}$/i.test(brandColor) ? brandColor : DEFAULT_BRAND)
  const light = (white: number) => toHex(mix(accent, '#fff', white))
  const dark = (black: number) => toHex(mix(accent, '#000', black))
  return [
    light(0.93),
    light(0.85),
    light(0.7),
    light(0.52),
    light(0.34),
    light(0.16),
    toHex(accent),
    dark(0.12),
    dark(0.26),
    dark(0.4),
  ]
}

/** Darker by 4 % at a time. */
function readable(color: string): string {
  let shade = color
  for (let light = 0.96; getContrast(shade, PAPER) < LEAST_CONTRAST; light *= 0.96) {
    shade = mix(color, '#000', 1 - light)
  }
  return shade
}
