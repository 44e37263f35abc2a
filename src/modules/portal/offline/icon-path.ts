import { DEFAULT_COLOR } from '@kitlane/display/color'
import type { Paper } from '../paper.ts'

/** `rrggbb` */
export const colorOf = ({ color }: Pick<Paper, 'color'>): string => color?.slice(1) ?? DEFAULT_COLOR

/** The address of an icon of a business. */
export const iconPath = (paper: Pick<Paper, 'color'>, file: 'icon.svg' | '192.png' | '512.png'): string =>
  `/pages/icons/${colorOf(paper)}/${file}`
