import { Box, Text } from '@mantine/core'

import type { Tone } from './status-label.ts'

/** A coloured dot with a word, since colour alone is not readable by everyone. */
export function StatusDot({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Text component="span" style={{ display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' }}>
      <Box
        component="span"
        w={8}
        h={8}
        bg={`var(--k-${tone})`}
        style={{ borderRadius: '50%', flex: 'none' }}
        aria-hidden
      />
      {children}
    </Text>
  )
}
