import {
  Alert,
  type AlertProps,
  type CSSVariablesResolver,
  createTheme,
  type MantineThemeOverride,
} from '@mantine/core'
import { paletteOf } from './brand-palette.ts'

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

// The design allows motion under 150 ms, and none if the system asks for reduced motion (`respectReducedMotion`).
const TRANSITION = { transitionProps: { duration: 120 } }

export function themeOf(brandColor: string | undefined): MantineThemeOverride {
  return createTheme({
    colors: { brand: paletteOf(brandColor), gray: neutralGrey },
    primaryColor: 'brand',
    // The shade on which white text is readable in both schemes.
    primaryShade: 6,
    autoContrast: true,
    respectReducedMotion: true,
    cursorType: 'pointer',
    defaultRadius: 'sm',
    fontFamily: FONT,
    fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
    lineHeights: { md: '1.5' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
    headings: {
      fontWeight: '600',
      sizes: { h1: { fontSize: '22px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
    },
    components: {
      Alert: Alert.extend({ vars: quietAlert }),
      Modal: { defaultProps: { ...TRANSITION, closeButtonProps: { 'aria-label': 'Close the dialog' } } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close the message' } } },
      // Halfway through a change of colour the words are too pale to read.
      SegmentedControl: { defaultProps: { transitionDuration: 0 } },
      Menu: { defaultProps: TRANSITION },
      Popover: { defaultProps: TRANSITION },
      Tooltip: { defaultProps: { ...TRANSITION, openDelay: 200, events: { hover: true, focus: true, touch: true } } },
      Select: { defaultProps: { comboboxProps: TRANSITION } },
    },
  })
}

// Mantine's own alert is a solid block of colour in the dark scheme.
const quietAlert = (_theme: unknown, { color = 'brand' }: AlertProps) => {
  const tint = (share: number) =>
    `color-mix(in srgb, var(--mantine-color-${color}-filled) ${share}%, var(--mantine-color-body))`
  return {
    root: {
      '--alert-bg': tint(10),
      '--alert-color': 'var(--mantine-color-text)',
      '--alert-bd': `1px solid ${tint(45)}`,
    },
  }
}

// Mantine's grey is bluish; only a neutral grey goes with an accent of any hue.
const neutralGrey = [
  '#fafafa',
  '#f4f4f4',
  '#e9e9e9',
  '#dedede',
  '#cecece',
  '#a9a9a9',
  '#6f6f6f',
  '#4f4f4f',
  '#3a3a3a',
  '#242424',
] as const

/** Small print must be readable too: Mantine's own dimmed and placeholder greys have less than 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#616161',
    '--mantine-color-placeholder': '#6f6f6f',
    '--k-accent': 'var(--mantine-color-brand-6)',
    '--k-line': '#e4e4e4',
    '--k-soft': '#f6f6f6',
    '--k-edge': '#8f8f8f',
    '--k-good': '#1c7a43',
    '--k-fair': '#96650a',
    '--k-bad': '#b3261e',
    '--k-info': '#2f5d8a',
    '--k-idle': '#6f6f6f',
    '--k-band-good': '#9fd0b1',
    '--k-band-fair': '#f0d48a',
    '--k-band-poor': '#e3b3ae',
  },
  dark: {
    // Mixed with 70 % white, any accent is readable on the dark page.
    '--mantine-color-anchor': 'var(--mantine-color-brand-2)',
    '--mantine-color-dimmed': '#a8a8a8',
    '--mantine-color-placeholder': '#9a9a9a',
    '--k-accent': 'var(--mantine-color-brand-3)',
    '--k-line': '#3a3a3a',
    '--k-soft': '#2b2b2b',
    '--k-edge': '#7a7a7a',
    '--k-good': '#5cc98a',
    '--k-fair': '#e0ad4b',
    '--k-bad': '#f28b82',
    '--k-info': '#86b7e8',
    '--k-idle': '#a0a0a0',
    '--k-band-good': '#3d6b4f',
    '--k-band-fair': '#806a2c',
    '--k-band-poor': '#7d4640',
  },
})
