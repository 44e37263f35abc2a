import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tone } from './status-label.ts'

// Each tone has a shape of its own, so that it is read without its colour: in order ●, under way ◉, watch ◐, act ▲, open ○.
const SHAPES: Record<Tone, ReactNode> = {
  good: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  info: (
    <>
      <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="6" cy="6" r="2" fill="currentColor" />
    </>
  ),
  fair: (
    <>
      <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.5a4.5 4.5 0 0 0 0 9z" fill="currentColor" />
    </>
  ),
  bad: <path d="M6 1l5.5 10h-11z" fill="currentColor" />,
  idle: <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
}

/** The shape of a state, in its colour; the word belongs beside it. */
export function StatusShape({ tone }: { tone: Tone }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" style={{ color: `var(--k-${tone})`, flex: 'none' }} aria-hidden>
      {SHAPES[tone]}
    </svg>
  )
}

/** A state: shape, colour and word. */
export function StatusDot({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Text component="span" style={{ display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' }}>
      <StatusShape tone={tone} />
      {children}
    </Text>
  )
}
