import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './sheet.module.css'

interface SheetProps extends BoxProps {
  'aria-label'?: string
  'aria-labelledby'?: string
  children: ReactNode
}

/** A part of a page below a line. Boxes are for what can be picked up: a kit, a row, a card. */
export function Sheet(props: SheetProps) {
  return <Box component="section" className={css.sheet} {...props} />
}
