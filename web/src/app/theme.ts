import {
  Alert,
  type AlertProps,
  type CSSVariablesResolver,
  createTheme,
  type MantineThemeOverride,
} from '@mantine/core'
import { t } from '../language/t.ts'
import { paletteOf } from './brand-palette.ts'

const FONT = '"Source Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

// The design allows motion under 150 ms, and none if the system asks for reduced motion (`respectReducedMotion`).
const TRANSITION = { transitionProps: { duration: 120 } }

export function themeOf(brandColor: string | undefined): MantineThemeOverride {
  return createTheme({
    black: INK,
    colors: { brand: paletteOf(brandColor), gray: paperGrey, dark: night },
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
      sizes: {
        h1: { fontSize: '28px', lineHeight: '1.25' },
        h2: { fontSize: '16px' },
        h3: { fontSize: '14px' },
      },
    },
    components: {
      Alert: Alert.extend({ vars: quietAlert }),
      Loader: { defaultProps: { role: 'status', 'aria-label': t('Loading') } },
      Modal: { defaultProps: { ...TRANSITION, closeButtonProps: { 'aria-label': t('Close the dialog') } } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close the message') } } },
      PasswordInput: {
        defaultProps: {
          visibilityToggleFocusable: true,
          visibilityToggleButtonProps: { 'aria-label': t('Show or hide the password') },
        },
      },
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

const INK = '#1d1b16'

// Mantine's grey is bluish: on warm paper it looks dirty.
const paperGrey = [
  '#faf8f3',
  '#f3efe6',
  '#e8e2d5',
  '#dcd5c6',
  '#cbc3b2',
  '#a59d8d',
  '#6d675b',
  '#4d483f',
  '#38342d',
  '#24211c',
] as const

// From text to the deepest ground. Dark is dark here, neither grey nor brown.
const night = [
  '#e9e7e2',
  '#babdbf',
  '#9a9ea2',
  '#6f767d',
  '#30353a',
  '#24282c',
  '#1a1d20',
  '#0f1113',
  '#0b0d0e',
  '#070809',
] as const

/** Small print must be readable too: Mantine's own dimmed and placeholder greys have less than 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#faf8f3',
    '--mantine-color-dimmed': '#5f5a4f',
    '--mantine-color-placeholder': '#6d675b',
    '--mantine-color-error': 'var(--k-bad)',
    '--k-accent': 'var(--mantine-color-brand-6)',
    '--k-paper': '#fffefa',
    '--k-rule': '#38342d',
    '--k-line': '#e3dccd',
    '--k-soft': '#f3efe6',
    '--k-edge': '#8c8574',
    '--k-stripe': '#c98a00',
    '--k-good': '#1c7a43',
    '--k-fair': '#865806',
    '--k-bad': '#b3261e',
    '--k-info': '#2f5d8a',
    '--k-idle': '#6b665c',
    '--k-band-good': '#9fd0b1',
    '--k-band-fair': '#f0d48a',
    '--k-band-poor': '#e3b3ae',
  },
  dark: {
    '--mantine-color-body': '#0f1113',
    // Mixed with 70 % white, any accent is readable on the dark page.
    '--mantine-color-anchor': 'var(--mantine-color-brand-2)',
    '--mantine-color-dimmed': '#a3a6a8',
    '--mantine-color-placeholder': '#9a9ea2',
    '--mantine-color-error': 'var(--k-bad)',
    '--k-accent': 'var(--mantine-color-brand-3)',
    '--k-paper': '#16191c',
    '--k-rule': '#7d8388',
    '--k-line': '#282c30',
    '--k-soft': '#1a1d20',
    '--k-edge': '#777e85',
    '--k-stripe': '#8a6410',
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
