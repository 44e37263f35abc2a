import { RingProgress, Stack, Text } from '@mantine/core'

/** A score from 0 to 100 as a ring with its number; a dash without one. */
export function ScoreRing({ name, score, size = 76 }: { name: string; score: number | null; size?: number }) {
  return (
    <Stack gap={2} align="center" w={112}>
      <RingProgress
        size={size}
        thickness={6}
        roundCaps
        sections={[{ value: score ?? 0, color: colorOf(score) }]}
        label={
          <Text ta="center" fw={600}>
            {score === null ? '–' : Math.round(score)}
          </Text>
        }
        aria-hidden
      />
      <Text size="sm" ta="center">
        {name}
      </Text>
    </Stack>
  )
}

// 75 is the reference limit, 50 a quarter beyond it: docs/scoring.md.
function colorOf(score: number | null): string {
  if (score === null) return 'var(--k-idle)'
  if (score >= 75) return 'var(--k-good)'
  return score >= 50 ? 'var(--k-fair)' : 'var(--k-bad)'
}
